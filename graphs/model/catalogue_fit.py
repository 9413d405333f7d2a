"""What a model writes of companies and periods, held against the catalogue: keys, or what does not fit in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator

from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, is_covered, label_of
from tools.documents.text.cleaning import squeeze

MAX_QUERY_CHARS = 300
MAX_LISTED = 12
"""Names or periods that are offered in place of one that does not fit."""


def named_word(value: object) -> object:
    """A word of a closed list without the quotes, stops and capitals that models write around it."""
    return value.strip().strip("\"'.").lower() if isinstance(value, str) else value


def _texts(value: object) -> object:
    """A list, also where the model wrote its one text alone or null."""
    return [value] if isinstance(value, str) else value or []


Texts = Annotated[list[str], BeforeValidator(_texts)]


def known_companies(names: Sequence[str], catalog: Catalog) -> tuple[tuple[str, ...], str]:
    """Keys of the names, and what is wrong with the first that is none."""
    keys: dict[str, None] = {}
    for name in names:
        key = catalog.find(name.strip())
        if key is None:
            near = ", ".join(catalog.nearest(name.strip())) or "none"
            return (), f"company '{squeeze(name)[:60]}' is not in the catalogue (nearest: {near})"
        keys[key] = None
    return tuple(keys), ""


def period_fault(labels: Sequence[str], catalog: Catalog, companies: Sequence[str]) -> str:
    """What is wrong with the periods: a label that is none, or none that anything indexed is of."""
    filters = {label: filter_of(label, catalog, companies) for label in labels}
    bad = next((label for label, found in filters.items() if found is None), None)
    if bad is not None:
        return f"period '{squeeze(bad)[:40]}' is not written as 'FY2022', 'Q2 FY2023' or '2023-07-01'"
    if not filters or any(found and is_covered(found, catalog, companies) for found in filters.values()):
        return ""
    there = dict.fromkeys(label_of(each) for key in companies for each in catalog.documents_of(key))
    listed = ", ".join(list(filter(None, there))[-MAX_LISTED:])
    whose = ", ".join(companies) or "any company"
    return f"nothing of {whose} is of {', '.join(filters)}" + (f" (there are: {listed})" if listed else "")
