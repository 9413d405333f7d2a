"""Names of line items and the words around them, as data and as readers of text.

Imports nothing of the project but `lexicon` and `tools.period_words`; knows neither documents nor the graph.
"""
