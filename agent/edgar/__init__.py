"""Filings from EDGAR, the archive of the U.S. Securities and Exchange Commission: asked for by name, kept in a folder.

Imports the settings and the endpoint's bounded client; knows nothing of the index.
"""
