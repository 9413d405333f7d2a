"""The `model` engine: language steps asked of an OpenAI-compatible model, each with another implementation behind it.

Imports protocols, `graphs.drafts`, `prompts` and `tools`; knows neither the steps nor the local engine.
"""
