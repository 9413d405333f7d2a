"""What is done to the assistant to break it, part by part.

Imports the assistant; knows nothing of metrics and runs.
"""
