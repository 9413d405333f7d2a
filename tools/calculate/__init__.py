"""Figures that no page prints: expressions over cited figures, and the catalogue of financial measures.

Imports the evidence, below which `types` lies, `tools.knowledge` and what is under them.
"""
