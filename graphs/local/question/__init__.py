"""What a question asks for: companies, periods, line items, the parts of a comparison, its route.

Imports `graphs.local.text` and below; knows neither evidence nor answers.
"""
