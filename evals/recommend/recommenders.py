"""What is measured, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from agent.errors import UsageError
from evals.recommend.interaction_data import Split
from tools.recommend.mixed import Mixed, best_share
from tools.recommend.popularity import Popularity
from tools.recommend.training import HELD_OUT_AT_MOST, Told, train
from tools.recommend.transitions import Transitions, best_norm
from tools.recommend.types import NextItem


@dataclass(frozen=True, slots=True)
class Making:
    """With what a model is made."""

    split: Split
    preset: str
    seed: int
    within: Path
    """Where all that is made of this data is kept."""
    note: Callable[[str], None]

    def folder(self, learned: str) -> Path:
        """Of a learned model's own, where it may keep what it learns and go on from."""
        return self.within / f"{learned}-{self.preset}-{self.seed}"


@dataclass(frozen=True, slots=True)
class Recommender:
    """A model by its name. It sees no test event, and the validation events only to choose by."""

    name: str
    says: str
    make: Callable[[Making], NextItem]
    learned: bool = False
    """From a seed, by a preset."""
    ablation: bool = False
    """TGCL4SR without one of its parts, or with one as printed; it is held against the whole model alone."""


def _tuned(making: Making) -> NextItem:
    return Transitions(making.split.training, norm=best_norm(making.split.known))


def _learned(model: str, **others: str) -> Callable[[Making], NextItem]:
    def make(making: Making) -> NextItem:
        def tell(told: Told) -> None:
            making.note(
                f"epoch {told.epoch} of at most {told.at_most}: loss {told.lost:.4f}, "
                f"NDCG@10 of the validation events {told.held_out:.4f}"
            )

        return train(
            making.split.known,
            model=model,
            preset=making.preset,
            seed=making.seed,
            folder=making.folder("-".join((model, *others.values()))),
            progress=tell,
            **others,
        )

    return make


def _mixed(model: str) -> Callable[[Making], NextItem]:
    def make(making: Making) -> NextItem:
        split, learned = making.split, _learned(model)(making)
        norm = best_norm(split.known)
        share = best_share(learned, split.known, norm, HELD_OUT_AT_MOST)
        making.note(f"{share:.2f} of transitions, divided by powers {norm} of degrees, as validation chose")
        return Mixed(learned, Transitions(split.training, norm=norm), share)

    return make


RECOMMENDERS = {
    each.name: each
    for each in (
        Recommender("popularity", "what most do", lambda making: Popularity(making.split.training)),
        Recommender(
            "transitions",
            "what stood near, counted: pairs at most 4 apart by 1 / distance, the newest 50 events by 1 / recency",
            lambda making: Transitions(making.split.training),
        ),
        Recommender(
            "transitions-tuned", "the same, divided by powers of degrees that validation chose", _tuned
        ),
        Recommender("sasrec", "self-attention over the history", _learned("sasrec"), learned=True),
        Recommender("tgcl4sr", "self-attention, intervals and the temporal graph", _learned("tgcl4sr"), learned=True),
        *(
            Recommender(
                f"{model}-mixed",
                f"likelihoods of {model} and of transitions-tuned, in the shares that validation chose",
                _mixed(model),
                learned=True,
            )
            for model in ("sasrec", "tgcl4sr")
        ),
        Recommender(
            "tgcl4sr-single",
            "its attention over one edge at a time, as printed",
            _learned("tgcl4sr", attention="single"),
            learned=True,
            ablation=True,
        ),
        *(
            Recommender(
                f"tgcl4sr-{part}", says, _learned("tgcl4sr", ablation=part), learned=True, ablation=True
            )
            for part, says in (
                ("dgcl", "without the contrast of disturbed times"),
                ("sgcl", "without the contrast of sampled views"),
                ("tgcl", "without the graph"),
                ("titconv", "a GCN in place of TiTConv; without times, so without their contrast, too"),
                ("interval", "without intervals"),
            )
        ),
    )
}  # fmt: skip


def recommenders(names: str, ablations: bool = False) -> Sequence[Recommender]:
    """Those named, comma-separated, each once, and all ablations where wanted. UsageError for a name that is none, and
    where what trains one is not installed."""
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in RECOMMENDERS]
    if unknown or not chosen:
        said = f"no model '{unknown[0]}'" if unknown else "no model named"
        raise UsageError(f"There is {said}. Models: {', '.join(RECOMMENDERS)}.")
    chosen += [name for name, each in RECOMMENDERS.items() if each.ablation and ablations]
    found = [RECOMMENDERS[name] for name in dict.fromkeys(chosen)]
    learned = [each.name for each in found if each.learned]
    if learned and not all(map(find_spec, ("jax", "optax"))):
        raise UsageError(f"'{learned[0]}' is learned with JAX: pip install 'hybridrag[recommend]'.")
    return found
