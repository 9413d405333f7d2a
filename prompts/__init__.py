"""The words sent to a model: one Markdown file a prompt, and the loader that fills it.

Imports nothing of the project; knows neither models nor documents.
"""
