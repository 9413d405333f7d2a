"""Triplets, the names that are one entity, and the graph they make.

Imports `lexicon` and the document types; knows neither how triplets are read nor how they are searched.
"""
