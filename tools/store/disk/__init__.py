"""The home folder: what lies where, locks, seals, records, processes of our own.

Imports document and triplet types; knows neither generations nor runs.
"""
