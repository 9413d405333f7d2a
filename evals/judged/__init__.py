"""Metrics that a model judges: the four of the paper's Table 5, by ragas.

Imports datasets, metrics, rows and the endpoint; knows neither runs nor reports.
"""

from evals.judged.judged_metrics import judged_metrics
from evals.judged.judging import Judge, judge_rows, open_judge

__all__ = ["Judge", "judge_rows", "judged_metrics", "open_judge"]
