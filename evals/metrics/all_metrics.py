"""All metrics that need no judge."""

from __future__ import annotations

from evals.metrics.abstention_precision import ABSTENTION_PRECISION
from evals.metrics.abstention_recall import ABSTENTION_RECALL
from evals.metrics.answer_number_recall import ANSWER_NUMBER_RECALL
from evals.metrics.answer_rate import ANSWER_RATE
from evals.metrics.at_k import AT_K
from evals.metrics.bleu import BLEU
from evals.metrics.citation_precision import CITATION_PRECISION
from evals.metrics.citation_recall import CITATION_RECALL
from evals.metrics.context_precision import CONTEXT_PRECISION
from evals.metrics.context_recall import CONTEXT_RECALL
from evals.metrics.cost import COST
from evals.metrics.evidence_number_recall import EVIDENCE_NUMBER_RECALL
from evals.metrics.judgement import JUDGEMENT
from evals.metrics.local_faithfulness import LOCAL_FAITHFULNESS
from evals.metrics.meteor import METEOR
from evals.metrics.rouge_1 import ROUGE_1
from evals.metrics.route_accuracy import ROUTE_ACCURACY
from evals.metrics.semantic_similarity import semantic_similarity
from evals.metrics.types import Metric
from evals.metrics.wrong_number_rate import WRONG_NUMBER_RATE
from tools.vector.embeddings import Embedder


def metrics_for(embedder: Embedder | None) -> tuple[Metric, ...]:
    """Every metric, in the order of reports. `embedder` compares answers by meaning; without one that metric applies
    to nothing. The calls are pure but for what they remember: scoring a row again gives the same."""
    return (
        CONTEXT_PRECISION,
        CONTEXT_RECALL,
        EVIDENCE_NUMBER_RECALL,
        *AT_K,
        ANSWER_NUMBER_RECALL,
        WRONG_NUMBER_RATE,
        CITATION_PRECISION,
        CITATION_RECALL,
        LOCAL_FAITHFULNESS,
        JUDGEMENT,
        ROUGE_1,
        BLEU,
        METEOR,
        semantic_similarity(embedder),
        ROUTE_ACCURACY,
        ANSWER_RATE,
        ABSTENTION_PRECISION,
        ABSTENTION_RECALL,
        *COST,
    )
