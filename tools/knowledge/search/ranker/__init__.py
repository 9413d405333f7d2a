"""A second look at a question whose words fit no line item: a trained ranking of all that are in scope.

Imports `lexicon`, `graph` and what else `search` reads of them; knows nothing of how its weights were learnt.
"""
