"""The `local` engine: the language steps without a model, a key or a network.

Imports contracts, `graphs.drafts` and `tools`; knows neither steps nor the model engine.
"""
