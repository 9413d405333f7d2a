"""What a model replies when it is asked for relations: the form that is asked for, read generously."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator, model_validator

from tools.knowledge.lexicon.relation_verbs import CURATED, Status

NamedType = Literal["company", "metric", "person", "product", "location", "event", "regulation"]
"""Entity types of the paper's Table 2."""
_STATUS_WORDS = {"done": "", "planned": "plans to", "not done": "did not"}
MAX_RELATIONS = 12
"""Of one abstract; a small model would repeat itself without end."""


class _Related(BaseModel):
    """What both readings ask for."""

    model_config = ConfigDict(extra="ignore")

    head: str
    head_type: NamedType
    relation: str
    tail: str
    tail_type: NamedType

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, data: Any) -> Any:
        """Small models give the paper's list, or types in capitals."""
        if isinstance(data, list) and len(data) >= 5:
            data = dict(zip(("head", "head_type", "relation", "tail", "tail_type"), data, strict=False))
        if isinstance(data, dict):
            fixed = ("head_type", "tail_type", "status")
            return {k: v.strip().lower() if k in fixed and isinstance(v, str) else v for k, v in data.items()}
        return data


class ReadTriplet(_Related):
    """One relation as the second tier should give it."""

    status: Literal["done", "planned", "not done"] = "done"

    @property
    def verb_phrase(self) -> str:
        """The relation with its status: 'plans to build'."""
        return f"{_STATUS_WORDS[self.status]} {self.relation}".strip()


class QuotedTriplet(_Related):
    """One relation as the single pass should give it."""

    status: Status = "done"
    date: str = ""
    amount: str = ""
    quote: str

    @field_validator("date", "amount", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        """Small models say null for nothing, and give an amount as a number."""
        return "" if value is None else str(value) if isinstance(value, int | float) else value


def _schema(order: str, **choices: Sequence[str]) -> dict[str, Any]:
    """What a model that obeys the schema can choose from; others are read as generously as may be."""
    types = list(get_args(NamedType))
    offered = {"head_type": types, "tail_type": types, **{name: list(few) for name, few in choices.items()}}
    return {
        "type": "object",
        "properties": {
            name: {"type": "string", "enum": offered[name]} if name in offered else {"type": "string"}
            for name in order.split()
        },
        "required": order.split(),
        "additionalProperties": False,
    }


_READ = _schema(
    "head head_type relation status tail tail_type", relation=CURATED, status=tuple(_STATUS_WORDS)
)
_QUOTED = _schema("quote head head_type relation status tail tail_type date amount", status=get_args(Status))


class _Listed(BaseModel):
    """Items are checked one by one, so that a bad one costs itself alone; a bare list is a reply, too."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, data: Any) -> Any:
        return {"triplets": data} if isinstance(data, list) else data


class ReadTriplets(_Listed):
    """The reply of the second tier."""

    triplets: list[Annotated[Any, WithJsonSchema(_READ)]] = Field(
        json_schema_extra={"maxItems": MAX_RELATIONS}
    )


class QuotedTriplets(_Listed):
    """The reply of the single pass, as long as a reply may be."""

    triplets: list[Annotated[Any, WithJsonSchema(_QUOTED)]]
