"""What to ask or read next, learned from histories.

Imports no other room of `tools`; JAX is imported where a model is trained and nowhere else.
"""
