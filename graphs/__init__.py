"""LangGraph state machines, the steps they are made of, and the engines that do the steps.

Imports `tools` and `prompts`; knows no settings, no endpoint and no command.
"""
