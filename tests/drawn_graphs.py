"""A small knowledge graph with hostile names, and an ontology beside it, for tests of its pictures and files."""

from __future__ import annotations

from datetime import date

import numpy as np

from tools.documents.types import Document
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.ontology.annotate import Annotation
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.types import NARROWER, Concept, Link
from tools.periods import Period

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">\u2028& Sons"
QUARTER = Period(date(2023, 7, 1), 3, 2023, 3)
SENTENCE = "Acme bought Bolt in May 2023."


def document(key: str, company: str) -> Document:
    return Document(
        id=f"{key.lower():0<16}",
        name=f"{key}.pdf",
        path=f"{key}.pdf",
        title=company,
        company=company,
        company_key=key,
        ticker=key,
        aliases=(),
        doc_type="10-Q",
        fiscal_year=2023,
        fiscal_quarter=3,
        period_end=QUARTER.end,
        pages=9,
    )


ACME, BOLT = document("ACME", "Acme Inc."), document("BOLT", "Bolt Corporation")


def triplets() -> list[Triplet]:
    """Acme's and Bolt's, of two quarters; one name would leave its block of data, one cell is a formula."""
    return [
        make_triplet(
            ACME, ("Acme Inc.", "company"), "acquired", ("Bolt Corporation", "company"), page=2, quote=SENTENCE,
            chunk_id="deal", date="in May 2023",
        ),
        make_triplet(
            BOLT, ("Acme Inc.", "company"), "acquired", ("Bolt Corporation", "company"), page=7,
            quote="Bolt was bought by Acme in May 2023.", date="in May 2023",
        ),
        make_triplet(
            ACME, ("Acme Inc.", "company"), "sued", (HOSTILE, "product"), page=3, quote=HOSTILE, chunk_id="suit"
        ),
        make_triplet(
            ACME, ("Acme Inc.", "company"), "reports", ("Net sales", "metric"), page=4, quote="=1+1", chunk_id="table"
        ),
        make_triplet(
            ACME, ("Net sales", "metric"), "was", ("81,797 million USD", "value"), page=4, quote="Net sales 81,797",
            period=QUARTER, value="81797", unit="USD", scale=6, printed="81,797", statement="income", chunk_id="table",
        ),
        make_triplet(
            BOLT, ("Ann Lee", "person"), "works for", ("Bolt Corporation", "company"), page=1, quote="Ann Lee, Bolt",
            period=Period(date(2022, 6, 25), 3, 2022, 3),
        ),
    ]  # fmt: skip


def graph(found: list[Triplet] | None = None) -> KnowledgeGraph:
    return KnowledgeGraph.build(found or triplets(), {each.id: each for each in (ACME, BOLT)})


def concepts() -> AnnotatedConcepts:
    """'acquisition', a kind of 'deal', is named where Acme buys Bolt; 'ledger' nowhere that a fact stands."""
    named = [
        Concept(f"urn:x:{name}", "class", name, definition=f"Every {name}.")
        for name in ("acquisition", "deal", "ledger")
    ]
    links = [Link("urn:x:acquisition", NARROWER, "urn:x:deal")]
    mentions = {"deal": [Annotation(0, 5, 11, 0.9)], "elsewhere": [Annotation(2, 0, 6, 0.9)]}
    return AnnotatedConcepts(named, links, mentions, np.zeros((3, 4), np.float32))
