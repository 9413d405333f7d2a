"""Evidence to a draft: figures as sentences and tables, quoted prose, a verdict on a quarter.

Imports `graphs.local.check`, `question`, `text` and below; knows nothing of the conversation around it.
"""
