"""`kg_search`: a question linked to line items and names, and the facts that fit it best.

Imports `graph`, `lexicon` and what encodes lines; knows neither how triplets were read nor who asks.
"""
