"""Chat threads: records, the SQLite file they are kept in, sessions that survive a kill.

Imports the assistant; knows neither terminal nor command line.
"""
