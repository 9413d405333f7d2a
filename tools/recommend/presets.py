"""What a model is and how it is trained, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, Self, get_args

ModelName = Literal["sasrec", "tgcl4sr"]
PresetName = Literal["quick", "paper"]
Attention = Literal["edges", "single"]
Ablation = Literal["dgcl", "sgcl", "tgcl", "titconv", "interval"]
"""What is left out: one contrast, the other, the whole graph, time and attention in it (a GCN is left), intervals."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Names in brackets are the paper's."""

    model: ModelName
    attention: Attention = "edges"
    """Softmax over an item's edges, or over each edge alone, as printed: then it changes nothing."""
    ablation: Ablation | None = None
    width: int = 64
    length: int = 50
    """Events of a history that are looked at, the last ones."""
    blocks: int = 2
    heads: int = 2
    dropout: float = 0.5
    rate: float = 1e-3
    """The step of Adam."""
    rising: int = 30
    """Steps over which it rises."""
    decay: float = 0.0
    averaged: float = 0.98
    """What a step keeps of the running average of the weights, which is what is asked."""
    places: int = 6144
    """Events in a batch with the graph, each with all items as what may come next; 1,024 histories of Beauty have some
    6,000 to predict from."""
    first_epochs: int = 0
    """Without the graph: then there is an encoder, and what the graph adds is learnt in fewer of the dear epochs."""
    first_places: int = 1024
    """As `places`, where there is no graph."""
    epochs: int = 40
    patience: int = 3
    """Epochs without a better NDCG@10 on the events held out."""
    neighbours: int = 20
    """Edges of an item that are drawn for a depth (N) while learning; answers are given with all."""
    edge_width: int = 16
    """Of users and of times."""
    sigma: float = 0.1
    """How far times are disturbed, of the span learned from."""
    tau: float = 0.5
    """The temperature of the contrasts."""
    contrast: float = 0.25
    """The weight of the contrasts (lambda1)."""
    likeness: float = 0.05
    """The weight of the distance between items and their views (lambda2)."""
    interval_scale: float = 50.0
    """How finely intervals are told apart (a)."""
    interval_highest: int = 511

    @property
    def with_graph(self) -> bool:
        return self.model == "tgcl4sr" and self.ablation != "tgcl"

    @property
    def with_intervals(self) -> bool:
        return self.model == "tgcl4sr" and self.ablation != "interval"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, found: Any) -> Self:
        """TypeError, ValueError on what is none."""
        if not isinstance(found, dict) or set(found) != {each.name for each in fields(cls)}:
            raise ValueError("other settings than this version's")
        return cls(**found)


PRESETS: dict[tuple[ModelName, PresetName], Settings] = {
    ("sasrec", "quick"): Settings("sasrec", rate=2e-3),
    ("sasrec", "paper"): Settings("sasrec", first_places=512, epochs=200, patience=10),
    ("tgcl4sr", "quick"): Settings("tgcl4sr", rate=2e-3, neighbours=5, places=4096, first_epochs=14),
    ("tgcl4sr", "paper"): Settings("tgcl4sr", places=6144, epochs=200, patience=10),
}


def settings_of(model: str, preset: str, ablation: str | None = None, attention: str = "edges") -> Settings:
    """ValueError names what may be given."""
    if model not in get_args(ModelName) or preset not in get_args(PresetName):
        raise ValueError(
            f"No preset {preset!r} of {model!r}: {', '.join(' '.join(pair) for pair in PRESETS)}"
        )
    if ablation is not None and ablation not in get_args(Ablation):
        raise ValueError(f"Nothing to leave out is called {ablation!r}: {', '.join(get_args(Ablation))}")
    if attention not in get_args(Attention):
        raise ValueError(f"No attention {attention!r}: {', '.join(get_args(Attention))}")
    return replace(PRESETS[model, preset], ablation=ablation, attention=attention)  # type: ignore[index, arg-type]
