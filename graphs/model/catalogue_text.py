"""What is indexed, in words for a prompt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import label_of

MAX_COMPANIES = 60
"""Companies listed with their documents where the question is not known to be about some of them."""
MAX_NAMED = 400
"""Further companies of which key and name alone are listed."""
MAX_DOCUMENTS = 24
"""Documents listed of one company and type: its latest."""


def in_words(catalog: Catalog, about: Sequence[str]) -> str:
    """'NRV | Norvane Corp. | 10-Q: Q1 FY2022 to 2022-03-31, Q2 FY2022 to 2022-06-30', a line a company: of those that
    the question is thought to be `about`, of more where there are none; of the others key and name."""
    told = [key for key in dict.fromkeys(about) if key in catalog.companies]
    told = told or list(catalog.companies)[:MAX_COMPANIES]
    lines = [_line(catalog, key) for key in told]
    others = [key for key in catalog.companies if key not in told]
    if others:
        named = "; ".join(f"{key} | {catalog.name(key)}" for key in others[:MAX_NAMED])
        more = f"; and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
        lines.append(f"Also indexed, with documents that are not listed here: {named}{more}")
    return "\n".join(lines) or "nothing is indexed"


def _line(catalog: Catalog, key: str) -> str:
    by_type: dict[str, list[str]] = defaultdict(list)
    for document in catalog.documents_of(key):
        by_type[document.doc_type].append(label_of(document) or document.name)
    types = "; ".join(
        f"{kind}: {', '.join(dict.fromkeys(labels[-MAX_DOCUMENTS:]))}" for kind, labels in by_type.items()
    )
    return f"{key} | {catalog.name(key)} | {types}"
