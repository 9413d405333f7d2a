"""What is done to the assistant to break it, part by part.

Imports the assistant; none of the rest of the evaluation.
"""
