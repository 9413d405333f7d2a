"""Question sets with their documents, each read where it lies by an adapter of its own.

Imports `tools` and, of `evals`, the records, facts and verdicts that sets are made from; knows no run.
"""
