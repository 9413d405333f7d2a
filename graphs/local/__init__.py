"""The `local` engine: the language steps without a model, a key or a network."""
