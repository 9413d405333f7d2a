"""Datasets, pipelines, metrics, report: how well the assistant does, measured.

Imports every other room; none of them imports it.
"""
