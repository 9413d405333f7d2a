"""Around an answer: what is asked back, which reply was meant, which questions come next.

Imports every other room of the engine; nothing of the engine imports it.
"""
