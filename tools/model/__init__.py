"""What the rest of the program knows of a language model: one request, one reply, and what went wrong.

Imports text cleaning of `tools.documents`; knows no endpoint, no prompt and no step.
"""
