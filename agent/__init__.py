"""The assistant as its users meet it: settings, endpoints, threads, terminal, Studio. Here things are put together.

Imports `graphs` and `tools`; `evals` registers its commands here and is never imported.
"""
