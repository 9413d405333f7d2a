"""Deterministic metrics, one a file: a score with its reason, and no score where a metric does not apply."""
