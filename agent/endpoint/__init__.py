"""OpenAI-compatible endpoints: one retry layer, limits, faults, embeddings, a probe.

Imports the settings and `tools.model`; knows no index and no question.
"""
