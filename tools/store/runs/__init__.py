"""Whole runs over a home: index, estimate, remove, clear leftovers.

Imports every other room of `store` but `postgres` and `jobs`; none of those below imports it.
"""
