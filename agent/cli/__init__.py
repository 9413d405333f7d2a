"""The hybridrag command: arguments, commands, exit codes.

Imports every other room of `agent`; nothing imports it.
"""
