"""Ranking: how well a line of text answers a question, by a cross-encoder and what is learnt on top of it. It
takes plain text and knows nothing of indexes or settings; imports `tools.model_files` only."""
