"""Question sets with their documents, each read where it lies by an adapter of its own."""
