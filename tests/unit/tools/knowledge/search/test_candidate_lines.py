"""Which line items are scored at all: every one that fits, and none that cannot."""

from __future__ import annotations

import pytest
from builders import document, figure, filing, parsed, table

from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.candidate_lines import lines_by_lack
from tools.knowledge.search.kg_search import MIN_EVIDENCE_MATCH
from tools.knowledge.search.line_items import CompanyFacts, company_facts, own_names
from tools.knowledge.search.linking import link_question
from tools.knowledge.search.matching import MISSING_WORD_FACTOR, item_match

MORE = parsed(
    document("ACME", number=2),
    table(
        "other",
        figure("Wearables, Home and Accessories", "8,284", path=("Net sales",)),
        figure("Shares repurchased", "120", unit="shares"),
        figure("Net income attributable to Acme", "90"),
        figure("Total", "12,000"),
        title="Lease liabilities by maturity",
    ),
    table("segment", figure("Revenue", "5,000", path=("Guidance",))),
)
DOCUMENTS = (filing(), MORE)
GRAPH = KnowledgeGraph.build(
    [triplet for each in DOCUMENTS for triplet in table_triplets(each)],
    {each.document.id: each.document for each in DOCUMENTS},
)
FACTS: CompanyFacts = company_facts(GRAPH, "ACME")


@pytest.mark.parametrize(
    "question",
    [
        "What were Acme's total net sales?",
        "How much did Acme sell in wearables?",
        "How many shares did Acme repurchase?",
        "What was net income?",
        "What was net income attributable to Acme?",
        "Total lease liabilities",
        "What does Acme expect revenue to be?",
        "iPhone net sales in Japan",
        "diluted EPS",
        "earnings per share of the segment",
        "operating income and cost of sales in Europe",
        "lemonade revenue in Germany",
    ],
)
def test_every_line_that_fits_and_shares_a_term_is_scored_and_the_best_lack_none(question: str) -> None:
    for request in link_question(question, FACTS, own_names(GRAPH, "ACME")):
        full, lacking = lines_by_lack(request, FACTS)
        assert not set(full) & set(lacking)
        for index, item in enumerate(FACTS.items):
            score = item_match(request, item)
            shares = item.label_words.union(*item.path_words)
            named = any(
                index in FACTS.by_canonical.get(term.canonical, ()) or set(term.words) <= shares
                for term in request.terms
            )
            if score > MISSING_WORD_FACTOR and named:
                assert index in full, item.label
            elif score >= MIN_EVIDENCE_MATCH and named:
                assert index in {*full, *lacking}, item.label
