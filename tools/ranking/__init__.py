"""How well a line of text answers a question: a cross-encoder, and what is learnt on top of it.

Imports evidence and model files; takes plain text and knows nothing of indexes or settings.
"""
