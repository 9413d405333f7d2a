from __future__ import annotations

from datetime import date

import pytest
from builders import END, LAST_YEAR, QUARTER, document, figure, filing, parsed, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.documents.types import ParsedDocument, TableFact
from tools.evidence import Evidence
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.kg_search import kg_search
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

THIS_QUARTER = Scope(("ACME",), (PeriodFilter(end=END),))


def build(*documents: ParsedDocument) -> KnowledgeGraph:
    extractor = LocalExtractor()
    triplets = [triplet for item in documents for triplet in extractor.extract(item)]
    return KnowledgeGraph.build(triplets, {item.document.id: item.document for item in documents})


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return build(filing())


def facts(found: list[Evidence]) -> list[tuple[str, float]]:
    return [(item.fact.value, item.fact.match) for item in found if item.fact]


@pytest.mark.parametrize(
    ("question", "months", "value"),
    [
        ("What were Acme's total net sales in the quarter ended July 1, 2023?", 3, "81797"),
        ("What was revenue in the nine months ended July 1, 2023?", 9, "293787"),
        ("How much revenue did ACME report?", None, "81797"),
        ("What was the operating loss?", None, "-22998"),
        ("What was diluted EPS?", None, "1.26"),
        ("What was basic EPS?", None, "1.27"),
        ("How many diluted shares were used?", None, "15775021"),
        ("operating income in Japan", None, "2409"),
        ("How much were iPhone net sales?", None, "39669"),
        ("What were product sales?", None, "60584"),
        ("cost of sales of products", None, "39136"),
        ("What were inventories as of July 1, 2023?", 0, "7351"),
        ("What were inventories in the quarter?", 3, "7351"),
        ("By how much did inventories change?", None, "7351"),
        ("How much did Acme earn in the quarter?", 3, "19881"),
        ("total assets", None, "335038"),
        ("total current assets", None, "122659"),
        ("R&D expense", None, "7442"),
    ],
)
def test_the_first_fact_is_the_figure_asked_for(
    graph: KnowledgeGraph, question: str, months: int | None, value: str
) -> None:
    found = facts(kg_search(graph, question, THIS_QUARTER, months=months))
    assert found[0][0] == value
    assert found[0][1] >= 0.8


@pytest.mark.parametrize(
    "question",
    [
        "What were net sales in Germany?",
        "What was lemonade revenue?",
        "What was adjusted operating income?",
        "What was operating income as a percentage of revenue?",
        "What was revenue per share?",
        "What was net income attributable to Japan?",
        "What was goodwill?",
        "What is the capital of France?",
    ],
)
def test_a_qualifier_or_metric_that_is_not_there_leaves_no_sure_fact(
    graph: KnowledgeGraph, question: str
) -> None:
    assert all(match < 0.8 for _, match in facts(kg_search(graph, question, THIS_QUARTER)))


def test_a_segment_that_was_not_asked_for_is_not_sure(graph: KnowledgeGraph) -> None:
    matches = dict(facts(kg_search(graph, "What was operating income?", THIS_QUARTER)))
    assert matches["-22998"] >= 0.8 > matches["2409"]


def test_another_duration_than_asked_is_not_sure(graph: KnowledgeGraph) -> None:
    matches = dict(facts(kg_search(graph, "net income for the nine months", THIS_QUARTER, months=9)))
    assert matches["74039"] >= 0.8 > matches["19881"]


def test_an_enumeration_gets_a_figure_for_each_metric(graph: KnowledgeGraph) -> None:
    found = facts(kg_search(graph, "What were net sales and net income?", THIS_QUARTER))
    assert {value for value, match in found if match >= 0.9} == {"81797", "19881"}


def test_the_evidence_reads_as_a_sentence_and_carries_its_source(graph: KnowledgeGraph) -> None:
    best = kg_search(graph, "total net sales", THIS_QUARTER)[0]
    assert best.text == (
        "Acme Inc., Net sales, Total net sales, three months ended July 1, 2023: 81,797 million USD "
        "(STATEMENTS OF OPERATIONS)"
    )
    assert (best.rank, best.document, best.page, best.source, best.kind) == (
        1,
        "ACME-1.pdf",
        4,
        "graph",
        "fact",
    )


@pytest.mark.parametrize("months", [0, 3, None])
def test_a_balance_at_the_end_of_a_cash_flow_column_fits_a_date_and_its_duration(months: int | None) -> None:
    flows = table("cash_flow", figure("Cash and cash equivalents, end of period", "19165"))
    graph = build(parsed(document(), flows))
    found = facts(kg_search(graph, "cash and cash equivalents, end of period", THIS_QUARTER, months=months))
    assert found[0][1] >= 0.8


def test_parts_of_a_total_are_found_by_its_name() -> None:
    note = table(
        "other",
        figure("Raw materials", "1936", Period(END, 0)),
        figure("Total inventories", "4454", Period(END, 0)),
        title="Balance Sheet Components",
    )
    graph = build(parsed(document(), note))
    assert facts(kg_search(graph, "raw materials inventory", THIS_QUARTER))[0][0] == "1936"
    assert facts(kg_search(graph, "raw materials inventory", THIS_QUARTER))[0][1] >= 0.8
    matches = dict(facts(kg_search(graph, "inventories", THIS_QUARTER)))
    assert matches["4454"] >= 0.8 > matches.get("1936", 0.0)


def test_the_change_in_a_balance_within_cash_flow_is_the_cash_flow_line() -> None:
    flows = table(
        "cash_flow",
        figure(
            "Inventories",
            "-2570",
            path=("Operating activities", "Changes in operating assets and liabilities"),
        ),
        figure("Cash generated by operating activities", "88945"),
    )
    graph = build(filing(), parsed(document(number=2), flows))
    found = facts(
        kg_search(graph, "How much did the change in inventories reduce operating cash flow?", THIS_QUARTER)
    )
    assert found[0][0] == "-2570"


def test_the_filing_of_the_period_comes_before_a_later_comparative() -> None:
    own = parsed(
        document(number=1, end=LAST_YEAR), table("income", figure("Net sales", "82959", Period(LAST_YEAR, 3)))
    )
    later = parsed(document(number=2), table("income", figure("Net sales", "82959", Period(LAST_YEAR, 3))))
    found = kg_search(build(later, own), "net sales", Scope(("ACME",), (PeriodFilter(end=LAST_YEAR),)))
    assert [item.document for item in found if item.fact] == ["ACME-1.pdf"]


def test_a_restated_figure_is_returned_beside_the_original() -> None:
    own = parsed(
        document(number=1, end=LAST_YEAR), table("income", figure("Net sales", "82959", Period(LAST_YEAR, 3)))
    )
    later = parsed(document(number=2), table("income", figure("Net sales", "82000", Period(LAST_YEAR, 3))))
    found = facts(kg_search(build(later, own), "net sales", Scope(("ACME",), (PeriodFilter(end=LAST_YEAR),))))
    assert [value for value, match in found if match >= 0.8] == ["82959", "82000"]


def test_a_note_of_the_same_name_gives_way_to_the_statement() -> None:
    both = parsed(
        document(),
        table("income", figure("Fulfillment", "22314")),
        table("other", figure("Fulfillment", "732"), title="Stock award activity"),
    )
    matches = dict(facts(kg_search(build(both), "fulfillment expense", THIS_QUARTER)))
    assert matches["22314"] >= 0.8 > matches["732"]


def test_without_a_company_several_are_offered_and_none_is_sure() -> None:
    two = build(filing("ACME"), filing("BOLT"))
    found = kg_search(two, "What was net income?", Scope())
    assert {item.company_key for item in found} == {"ACME", "BOLT"}
    assert all(match < 0.8 for _, match in facts(found))


def test_a_company_named_in_the_question_is_looked_at_first() -> None:
    two = build(filing("ACME"), filing("BOLT"))
    found = kg_search(two, "What was Bolt's net income?", Scope())
    assert {item.company_key for item in found} == {"BOLT"}
    assert found[0].fact is not None and found[0].fact.match >= 0.8


def test_a_company_that_is_not_there_gets_no_sure_fact(graph: KnowledgeGraph) -> None:
    assert all(match < 0.8 for _, match in facts(kg_search(graph, "What was Tesla's net income?", Scope())))


@settings(max_examples=60, deadline=None)
@given(
    companies=st.lists(st.sampled_from(["ACME", "BOLT", "NONE"]), max_size=2, unique=True),
    end=st.sampled_from([None, END, LAST_YEAR, date(2020, 1, 1)]),
    months=st.sampled_from([None, 0, 3, 9]),
    question=st.sampled_from(
        ["net sales", "Acme inventories and Bolt net income", "Who is the CFO?", "Japan"]
    ),
)
def test_nothing_outside_the_scope_is_returned(
    companies: list[str], end: date | None, months: int | None, question: str
) -> None:
    scope = Scope(
        tuple(companies), (PeriodFilter(end=end, months=months),) if end or months is not None else ()
    )
    for item in kg_search(PAIR, question, scope, depth=2):
        assert item.is_within(scope)


PAIR = build(filing("ACME"), filing("BOLT"))


def test_a_cached_index_does_not_outlive_its_graph() -> None:
    first = build(parsed(document(), table("income", figure("Net sales", "1", QUARTER))))
    assert facts(kg_search(first, "net sales", THIS_QUARTER))[0][0] == "1"
    second = build(parsed(document(), table("income", figure("Net sales", "2", QUARTER))))
    assert facts(kg_search(second, "net sales", THIS_QUARTER))[0][0] == "2"


def test_another_companys_ticker_in_small_letters_is_a_word_of_the_question() -> None:
    products = ("Net sales",)
    mac = table("income", figure("Mac", "6840", path=products), figure("Total net sales", "81797"))
    mall = document("MAC", company="Macerich Company", aliases=("Macerich", "MAC"))
    both = build(parsed(document(), mac), parsed(mall, table("income", figure("Revenue", "5"))))
    found = kg_search(both, "Acme Mac net sales", Scope(("ACME",)), months=3)
    assert facts(found)[0][0] == "6840"
    assert [value for value, match in facts(found) if match >= 0.8] == ["6840"]


def test_a_line_of_comprehensive_income_named_whole_stands_under_a_heading_of_changes() -> None:
    line = figure("Net unrealized gains on derivatives", "-656", path=("Changes in comprehensive income",))
    one = build(parsed(document(), table("comprehensive_income", line)))
    found = kg_search(one, "net unrealized gains on derivatives", THIS_QUARTER, months=3)
    assert [value for value, match in facts(found) if match >= 0.8] == ["-656"]


def test_three_months_in_so_many_words_may_mean_the_change_of_a_balance() -> None:
    flow = figure("Accounts payable", "-6075", path=("Changes in operating assets and liabilities",))
    balance = figure("Accounts payable", "57918", period=Period(END, 0))
    one = build(parsed(document(), table("cash_flow", flow), table("balance", balance)))

    def sure(question: str) -> set[str]:
        found = kg_search(one, question, THIS_QUARTER, months=3)
        return {value for value, match in facts(found) if match >= 0.8}

    assert sure("accounts payable for the three months ended July 1, 2023") == {"-6075", "57918"}
    assert sure("accounts payable in the quarter ended July 1, 2023") == {"57918"}


@pytest.mark.parametrize(
    "unstated",
    [figure("Backlog", "900", Period()), figure("Backlog", "900", unit="?")],
    ids=["no period", "no unit"],
)
def test_a_figure_without_a_period_or_a_unit_is_kept_and_never_found(unstated: TableFact) -> None:
    known = figure("Backlog", "700", QUARTER)
    lines = parsed(document("ACME"), table("other", unstated, figure("Orders", "10")))
    both = parsed(document("ACME"), table("other", unstated, known, figure("Orders", "10")))
    question = "What was Acme's backlog?"
    assert [t.value for t in build(lines).triplets() if t.head == "Backlog" and t.value] == ["900"]
    assert "900" not in {
        value for value, _ in facts(kg_search(build(lines), question, Scope(("ACME",)), k=9))
    }
    assert {value for value, _ in facts(kg_search(build(both), question, Scope(("ACME",)), k=9))} == {"700"}
