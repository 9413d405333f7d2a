"""Embeddings, the Chroma index, BM25 and their mix: `vector_search`.

Imports `tools.documents` and evidence; knows neither the knowledge graph nor the home folder.
"""
