"""Generations: derived from records, opened and checked for readers.

Imports `disk`, `tools.vector` and the knowledge graph; knows no run and no worker.
"""
