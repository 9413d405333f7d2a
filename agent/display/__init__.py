"""How an answer and an index look: plain text, JSON records, a terminal of any width.

Imports contracts and document types; knows no command and no index.
"""
