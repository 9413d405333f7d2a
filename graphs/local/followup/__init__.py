"""A turn of a conversation as a question that stands alone.

Imports `graphs.local.question` and below; knows neither evidence nor answers.
"""
