"""Whether a claim follows from the evidence that it cites: figures, periods, names, directions, wording.

Imports `graphs.local.text` and below; knows no question and no answerer.
"""
