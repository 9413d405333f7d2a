"""One module a step of the state machine; each exports its node and, where it branches, its router.

Imports contracts, state, `graphs.drafts` and `tools`; knows no engine.
"""
