"""The `local` engine: the language steps without a model, a key or a network.

Imports protocols, `graphs.drafts` and `tools`; knows neither the steps nor the model engine.
"""
