"""Deterministic metrics, one a file: a score with its reason, and no score where a metric does not apply.

Imports rows and the datasets' types; knows neither runs nor reports.
"""
