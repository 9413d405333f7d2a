"""Reading side by side: the plan of a run, its processes, and what they ask of models.

Imports `disk` and what reads documents; knows no generation.
"""
