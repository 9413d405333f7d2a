"""Embeddings, the Chroma index, BM25 and their mix: `vector_search`."""
