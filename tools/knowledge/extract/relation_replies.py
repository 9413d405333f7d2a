"""What a model replies when it is asked for relations: the form that is asked for, read generously."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from tools.knowledge.extract.grounding import CURATED

NamedType = Literal["company", "metric", "person", "product", "location", "event", "regulation"]
"""Entity types of the paper's Table 2."""
Status = Literal["done", "planned", "not done"]
_STATUS_WORDS: dict[Status, str] = {"done": "", "planned": "plans to", "not done": "did not"}
MAX_RELATIONS = 12
"""Of one abstract; a small model would repeat itself without end."""


class ReadTriplet(BaseModel):
    """One relation as the model should give it."""

    model_config = ConfigDict(extra="ignore")

    head: str
    head_type: NamedType
    relation: str
    status: Status = "done"
    tail: str
    tail_type: NamedType

    @property
    def verb_phrase(self) -> str:
        """The relation with its status: 'plans to build'."""
        return f"{_STATUS_WORDS[self.status]} {self.relation}".strip()

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


_CHOICES: dict[str, list[str]] = {
    "head_type": list(get_args(NamedType)),
    "relation": list(CURATED),
    "status": list(get_args(Status)),
    "tail_type": list(get_args(NamedType)),
}
"""What a model that obeys the schema can choose from; others are read as generously as may be."""
_ITEM = {
    "type": "object",
    "properties": {
        name: {"type": "string", "enum": _CHOICES[name]} if name in _CHOICES else {"type": "string"}
        for name in ReadTriplet.model_fields
    },
    "required": list(ReadTriplet.model_fields),
    "additionalProperties": False,
}


class ReadTriplets(BaseModel):
    """The reply of the second tier; items are checked one by one, so that a bad one costs itself alone."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    triplets: list[Annotated[Any, WithJsonSchema(_ITEM)]] = Field(
        json_schema_extra={"maxItems": MAX_RELATIONS}
    )

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, data: Any) -> Any:
        return {"triplets": data} if isinstance(data, list) else data
