"""The home folder: what was read, what is derived from it, one writer at a time, nothing lost by a kill.

Imports every other room of `tools`, and `prompts`, whose versions it records; knows no question.
"""
