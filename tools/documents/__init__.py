"""From files to pages, tables and chunks, with the metadata of their document.

Imports values and periods of `tools`; knows neither indexes nor models.
"""
