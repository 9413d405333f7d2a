"""Ranks -> HR and NDCG with intervals, and differences between models that were asked about the same users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from evals.recommend.interaction_data import Data
from evals.recommend.ranking_run import Ranked
from tools.bootstrap import interval, paired
from tools.recommend.held_out import Ranks, hits, ndcg

METRICS = tuple(f"{name}@{k}" for k in (10, 20) for name in ("HR", "NDCG"))
ORDERS = ("masked", "unmasked")
"""Seen items left out of the order, and among all items."""
COMPARED = ("HR@10", "NDCG@10")
"""Of the masked order."""
Values = NDArray[np.float64]


class Figure(BaseModel):
    """A mean over users, each user's value the mean over seeds, with its 95 % interval over users."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mean: float
    low: float
    high: float
    by_seed: tuple[float, ...]


class Measured(BaseModel):
    """One model on one data set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    data: str
    users: int
    seeds: tuple[int, ...]
    seconds: float
    """To make and ask it, over all seeds."""
    masked: dict[str, Figure]
    unmasked: dict[str, Figure]


class Compared(BaseModel):
    """The second less the first, user by user, masked, with the 95 % interval of the mean difference."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: str
    second: str
    metric: str
    difference: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


class RankingResults(BaseModel):
    """A whole run, as results.json has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str
    digest: str
    """SHA-256 of the file."""
    statistics: dict[str, int | float]
    preset: str
    created: str
    """ISO 8601, UTC."""
    commit: str | None
    measured: tuple[Measured, ...]
    compared: tuple[Compared, ...]
    notes: tuple[str, ...]


def measured(data: Data, runs: Sequence[Ranked]) -> Iterator[Measured]:
    """By model, in order."""
    for name, of_model in _by_model(runs).items():
        yield Measured(
            model=name,
            data=data.name,
            users=len(of_model[0].ranks.users),
            seeds=tuple(each.seed for each in of_model),
            seconds=round(sum(each.seconds for each in of_model), 1),
            masked={metric: _figure(metric, [each.ranks.masked for each in of_model]) for metric in METRICS},
            unmasked={
                metric: _figure(metric, [each.ranks.unmasked for each in of_model]) for metric in METRICS
            },
        )


def between_models(runs: Sequence[Ranked], ablations: Sequence[str]) -> Iterator[Compared]:
    """Every two models in order, an ablation with the whole model alone."""
    of_models = _by_model(runs)
    for first, second in combinations(of_models, 2):
        of_ablations = {first, second} & set(ablations)
        if not of_ablations or {first, second} - of_ablations == {"tgcl4sr"}:
            yield from _compared(first, of_models[first], second, of_models[second])


def with_control(runs: Sequence[Ranked], control: Sequence[Ranked]) -> Iterator[Compared]:
    """Every model with itself on the control: what the order of events gives it. The same users and test items."""
    others = _by_model(control)
    for name, of_model in _by_model(runs).items():
        yield from _compared(f"{name}, times permuted", others[name], name, of_model)


def _by_model(runs: Sequence[Ranked]) -> dict[str, list[Ranked]]:
    found: dict[str, list[Ranked]] = {}
    for each in runs:
        found.setdefault(each.model, []).append(each)
    return found


def _values(metric: str, ranks: Ranks) -> Values:
    name, _, k = metric.partition("@")
    return (hits if name == "HR" else ndcg)(ranks, int(k))


def _figure(metric: str, by_seed: Sequence[Ranks]) -> Figure:
    values = np.array([_values(metric, ranks) for ranks in by_seed])
    low, high = interval(values.mean(axis=0).tolist())
    return Figure(mean=float(values.mean()), low=low, high=high, by_seed=tuple(values.mean(axis=1).tolist()))


def _compared(
    first: str, first_runs: Sequence[Ranked], second: str, second_runs: Sequence[Ranked]
) -> Iterator[Compared]:
    for metric in COMPARED:
        values = [
            np.mean([_values(metric, each.ranks.masked) for each in runs], axis=0).tolist()
            for runs in (first_runs, second_runs)
        ]
        found = paired(*values)
        yield Compared(
            first=first,
            second=second,
            metric=metric,
            difference=found.difference,
            low=found.low,
            high=found.high,
        )
