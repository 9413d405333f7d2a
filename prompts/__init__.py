"""The words sent to a model: one Markdown file a prompt."""
