"""The terminal chat: a loop over lines, what it shows, and its slash commands.

Imports `threads`, `display` and the assistant; knows no command line.
"""
