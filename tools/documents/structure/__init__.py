"""Pages to chunks: noise dropped, tables placed, filings by section, calls by turn.

Imports `text`, `tables` and the document types; knows no file and no index.
"""
