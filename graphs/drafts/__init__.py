"""What both engines need of drafts: claims and their markers, words compared, sentences quoted, refusals.

Imports `graphs.contracts` and `tools`; knows no engine and no step.
"""
