"""Chat threads: records, the SQLite file or the database they are kept in, sessions that survive a kill.

Imports the assistant; knows neither terminal nor command line.
"""
