"""The `model` implementation of every language step, each with the local one behind it."""
