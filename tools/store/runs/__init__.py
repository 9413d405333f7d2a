"""Whole runs over a home: index, estimate, remove, clear leftovers.

Imports every other room of `store`; nothing of them imports it.
"""
