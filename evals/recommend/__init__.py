"""How well what comes next is ordered: leave one out, among all items, model against model.

Imports of evals what keeps, dates and prints the runs of the others.
"""
