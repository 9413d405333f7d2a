"""Attacks by the judge's endpoint, at both steps of its faithfulness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from agent.settings import Settings
from evals.attacks import endpoint_forms as forms
from evals.attacks.attack import Attack
from evals.attacks.endpoint import CALL, QUICK, broken
from evals.attacks.hostile_endpoint import KEY, MODEL, Asked, HostileEndpoint, Reply, hostile
from evals.datasets.types import Item
from evals.judged.judging import open_judge
from evals.rows import RetrievedContext, Row


def judge_faults(step: str, faults: Mapping[str, Reply], folder: Path) -> Sequence[str]:
    """Every fault at one of a judge's steps: no score, marked as the judge's failure; a score once it is sound."""
    found: list[str] = []
    with hostile(forms.judged) as endpoint:
        for number, (what, fault) in enumerate(faults.items()):
            endpoint.reply = partial(_judged_but, step=step, fault=fault)
            found += broken(what, partial(_judged, endpoint, folder / str(number), step, what))
    return found


def _judged_but(each: Asked, step: str, fault: Reply) -> Iterable[bytes]:
    return fault(each) if forms.judging_step(each) in (step, "") else forms.judged(each)


def _judged(endpoint: HostileEndpoint, folder: Path, step: str, what: str) -> str:
    settings = Settings(
        _env_file=None,
        judge_base_url=endpoint.base_url,
        judge_model=MODEL,
        judge_api_key=KEY,
        llm_timeout=1.0,
    )
    context = RetrievedContext(text=CALL, source="vector", document="call.txt", page=1)
    row = Row(
        pipeline="agent",
        id="q",
        question=forms.QUESTION,
        status="answered",
        answer=forms.ANSWER,
        contexts=(context,),
    )
    with closing(open_judge(settings, folder, _NoEmbedder(), QUICK)) as judge:
        score = judge.score("judged_faithfulness", Item(id="q", question=forms.QUESTION), row)
        if (step, what) in NO_FAULTS:
            return ""
        if not score.failed or score.value is not None:
            return f"scored {score.value}: {score.reason}"
        endpoint.reply = forms.judged
        again = judge.score("judged_faithfulness", Item(id="q", question=forms.QUESTION), row)
    return "" if again.value == 1 else f"not judged afterwards: {again.reason}"


NO_FAULTS = {("statements", "a list of nothing")}
"""An answer may state nothing."""


class _NoEmbedder:
    """Faithfulness embeds nothing."""

    id, dimension = "none", 0

    def embed(self, texts: Sequence[str]) -> Any:
        raise NotImplementedError

    embed_query = embed


ATTACKS: Sequence[Attack] = tuple(
    Attack(
        f"faults of the judge at the step '{step}'",
        len(forms.FAULTS),
        partial(judge_faults, step, forms.FAULTS),
    )
    for step in ("statements", "verdicts")
)
