"""What to ask or read next, learned from histories. Imports no other room of `tools`; JAX only where a model is trained."""
