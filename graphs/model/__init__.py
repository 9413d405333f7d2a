"""The `model` engine: every language step done by a model, with another engine's step behind it.

Imports contracts, `graphs.drafts`, `tools` and `prompts`; knows no step and no endpoint.
"""
