"""What the assistant can do to documents: read, index, search. Plain arguments in, evidence out."""
