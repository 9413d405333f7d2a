"""The index in PostgreSQL: its schema, publishing a home folder there and back, and asking from there.

Imports its siblings below, `tools.vector` and the lowest rooms of `tools`; psycopg only where a database is opened.
"""
