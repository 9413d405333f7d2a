"""What a sentence says: periods, directions, degrees, its kind, and how well it fits a question.

Imports `graphs.drafts`, contracts and `tools`; knows nothing of questions read, drafts checked or answers written.
"""
