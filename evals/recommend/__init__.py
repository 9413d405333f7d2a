"""How well what comes next is ordered: leave one out, among all items, model against model.

Imports evals.bootstrap, evals.journal, evals.provenance and evals.report.
"""
