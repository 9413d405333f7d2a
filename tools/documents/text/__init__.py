"""Characters, lines, sentences and dates of any text, made safe and found.

Imports nothing of the project but `tools.period_words`; knows neither pages nor documents.
"""
