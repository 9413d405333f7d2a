"""The project's own sample documents: two fictional companies, their sources and their renderer."""
