"""Whose document it is and of when: cover, opening words, path; and the catalogue of what is indexed.

Imports `structure`, `text` and the document types; knows neither tables nor files.
"""
