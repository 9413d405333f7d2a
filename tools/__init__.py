"""What the assistant can do to documents: read, index, search. Plain arguments in, evidence out.

Imports `prompts`; knows no settings, no state machine and no command.
"""
