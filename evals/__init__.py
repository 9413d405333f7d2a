"""Datasets, pipelines, metrics, report: how well the assistant does, measured."""
