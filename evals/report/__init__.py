"""report.html to look at, report.md for a pull request: what a run's results show, written and drawn.

Imports results, comparisons and the metrics' names; knows neither how a run is made nor the command line.
"""
