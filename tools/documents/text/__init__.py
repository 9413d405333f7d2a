"""Characters, lines, sentences and dates of any text, made safe and found.

Imports nothing of the project; knows neither pages nor documents.
"""
