"""What of a question narrows a figure, and what only asks for it."""

from __future__ import annotations

import pytest
from builders import BALANCE, END, document, figure, filing, parsed, table

from tools.documents.types import ParsedDocument, Table
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.table_triplets import full_title
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.knowledge.lexicon.word_forms import base_word, words_of
from tools.knowledge.search.kg_search import kg_search
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

THIS_QUARTER = Scope(("ACME",), (PeriodFilter(end=END),))


def build(*documents: ParsedDocument) -> KnowledgeGraph:
    triplets = [triplet for item in documents for triplet in LocalExtractor().extract(item)]
    return KnowledgeGraph.build(triplets, {item.document.id: item.document for item in documents})


def sure(graph: KnowledgeGraph, question: str, scope: Scope = THIS_QUARTER) -> list[str]:
    return [e.fact.value for e in kg_search(graph, question, scope) if e.fact and e.fact.match >= 0.8]


GRAPH = build(filing())


@pytest.mark.parametrize(
    "question",
    [
        "Did Acme's services revenue grow?",
        "How did Acme's services revenue change in the June quarter of 2023 and why?",
        "Was Acme's services revenue higher than a year ago?",
        "By how much did services revenue increase in the latest quarter?",
        "Could you please tell me what services revenue Acme earned last quarter?",
        "How much services revenue did Acme report, make, book or see?",
        "services revs of Acme",
    ],
)
def test_words_that_ask_compare_or_date_narrow_nothing(question: str) -> None:
    assert sure(GRAPH, question) == ["21213"]


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue in Germany?",
        "What was Acme's adjusted net income?",
        "What was Acme's revenue per employee?",
        "What was Acme's net income per employee?",
        "Acme headcount",
        "Acme customer churn",
        "What is Acme's number of Prime members?",
        "What was Acme's wholesale revenue?",
    ],
)
def test_a_noun_that_no_figure_bears_leaves_nothing_sure(question: str) -> None:
    assert sure(GRAPH, question) == []


@pytest.mark.parametrize(
    "name",
    [
        "net loss per diluted share",
        "diluted loss per share",
        "net income per diluted share",
        "diluted net income per common share",
        "EPS diluted",
        "earnings per share, diluted",
        "net earnings per share assuming dilution",
        "fully diluted earnings per share",
        "net income (loss) per share - diluted",
        "diluted loss a share",
    ],
)
def test_every_order_of_words_for_diluted_earnings_is_one_metric(name: str) -> None:
    assert canonical_metric(name) == "diluted earnings per share"
    assert [m.canonical for m in find_metrics(f"What was the {name} of Acme?")][:1] == [
        "diluted earnings per share"
    ]


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("rev", "revenue"),
        ("revs", "revenue"),
        ("income or loss from operations", "operating income"),
        ("operating result", "operating income"),
        ("net income or loss", "net income"),
        ("gross margin as a percentage of net revenue", "gross margin percentage"),
        ("Dividends and dividend equivalents declared per share or RSU", "dividends per share"),
        ("Basic earnings per share attributable to common", "basic earnings per share"),
        ("long-term debt, excluding the current portion", "long-term debt"),
    ],
)
def test_other_names_of_a_metric(name: str, metric: str) -> None:
    assert canonical_metric(name) == metric


def sheet() -> Table:
    return table(
        "balance",
        figure("Marketable securities", "34074", BALANCE, ("Current assets",)),
        figure("Total current assets", "122659", BALANCE, ("Current assets",)),
        figure("Marketable securities", "104061", BALANCE, ("Non-current assets",)),
        figure("Term debt", "7216", BALANCE, ("Current liabilities",)),
        figure("Term debt", "98071", BALANCE, ("Non-current liabilities",)),
    )


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What were Acme's marketable securities?", ["104061", "34074"]),
        ("What were Acme's current marketable securities?", ["34074"]),
        ("What were Acme's non-current marketable securities?", ["104061"]),
        ("What were Acme's long-term marketable securities?", ["104061"]),
        ("What was Acme's term debt?", ["7216", "98071"]),
        ("What was Acme's current term debt?", ["7216"]),
        ("What was Acme's non-current term debt?", ["98071"]),
        ("What were Acme's total current assets?", ["122659"]),
    ],
)
def test_a_label_printed_twice_is_one_line_only_if_the_question_says_which(
    question: str, values: list[str]
) -> None:
    assert sorted(sure(build(parsed(document(), sheet())), question)) == sorted(values)


def test_current_may_also_mean_now() -> None:
    assert sure(GRAPH, "What is Acme's current revenue?") == ["81797"]


def test_what_stores_sell_is_their_revenue() -> None:
    sold = table("segment", figure("Physical stores", "4959", path=("Net Sales",)))
    graph = build(parsed(document(), sold))
    assert sure(graph, "What did Acme's physical stores sell in the quarter?") == ["4959"]


def test_a_verb_matches_its_past_form_in_a_label_and_is_passed_over_where_no_label_has_it() -> None:
    declared = table(
        "equity", figure("Dividends declared per share", "0.24", unit="USD/share", scale=0), title="EQUITY"
    )
    plain = table("income", figure("Dividends per share", "0.24", unit="USD/share", scale=0))
    for one in (declared, plain):
        assert sure(build(parsed(document(), one)), "What dividends per share did Acme declare?") == ["0.24"]
    assert (base_word("declared"), base_word("sold"), base_word("deferred")) == (
        "declare",
        "sell",
        "deferred",
    )


def test_non_current_is_no_kind_of_current() -> None:
    assert words_of("Non-current assets") == {"noncurrent", "asset"}


def test_a_row_may_be_called_by_its_dates() -> None:
    path = ("Average Price Paid per Share",)
    rows = table(
        "other",
        figure("January 28 - February 24, 2024", "43.10", Period(), path, "USD/share", 0),
        figure("February 25 - March 30, 2024", "44.20", Period(), path, "USD/share", 0),
        title="Issuer purchases",
    )
    question = "What average price per share did Acme pay for shares from January 28 to February 24, 2024?"
    assert sure(build(parsed(document(), rows)), question, Scope(("ACME",))) == ["43.10"]


def test_a_note_number_before_a_heading_hides_no_metric() -> None:
    note = table(
        "other",
        figure("Research and development", "26934", path=("Note 4 \u2013 Stock-Based Compensation",)),
        title="Note 4 \u2013 Stock-Based Compensation",
    )
    income = table("income", figure("Research and development", "312"))
    question = "How much stock-based compensation did Acme record in research and development?"
    assert sure(build(parsed(document(), note, income)), question) == ["26934"]


def test_a_caption_names_the_metric_that_its_heading_does_not() -> None:
    stores = Table(
        "Net Sales",
        "other",
        "",
        4,
        0,
        1,
        "",
        (),
        (figure("Outlets", "-5.8", unit="percent", scale=0),),
        caption="Comparable sales, which leave out new stores, changed as follows:",
    )
    assert full_title(stores).startswith("Net Sales: Comparable sales")
    graph = build(parsed(document(), stores))
    assert sure(graph, "By how much did comparable sales of Acme's outlets change?") == ["-5.8"]


def test_a_printed_growth_rate_gives_way_to_the_figures_unless_it_is_described() -> None:
    growth = "Year-over-year percentage growth, excluding exchange rates"
    both = table(
        "segment",
        figure("Cloud", "23059", path=("Net sales",)),
        figure("Cloud", "12", path=(growth,), unit="percent", scale=0),
    )
    graph = build(parsed(document(), both))
    assert sure(graph, "By what percentage did Acme's cloud sales grow?") == ["23059"]
    assert sure(graph, "By what percentage did cloud grow excluding exchange rates?") == ["12"]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What were Acme's iPhone and iPad revenue?", ["28293", "39669"]),
        ("What was Acme's revenue from iPhone, iPad and Mac?", ["28293", "39669", "6840"]),
        ("What was Acme's gaming/iPhone revenue?", []),
        ("What was Acme's revenue from gaming?", []),
        ("What were Acme's revenue and net income?", ["19881", "81797"]),
    ],
)
def test_the_parts_of_an_enumeration_share_its_metric_and_never_the_total(
    question: str, values: list[str]
) -> None:
    income = table("income", figure("Total net sales", "81797"), figure("Net income", "19881"))
    category = table(
        "other",
        figure("iPhone", "39669", path=("Net sales by category",)),
        figure("iPad", "28293", path=("Net sales by category",)),
        figure("Mac", "6840", path=("Net sales by category",)),
    )
    assert sorted(sure(build(parsed(document(), income, category)), question)) == sorted(values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How much cash did Acme use in financing activities?", ["-83955"]),
        ("How much did Acme spend on property and equipment?", ["-11455"]),
        ("How much did Acme pay in dividends?", ["-3800"]),
        ("How much did Acme return through dividends?", ["-3800"]),
        ("How much did Acme spend buying back its own shares?", ["-18000"]),
        ("How much stock did Acme repurchase?", ["-18000"]),
        ("How many shares did Acme repurchase?", []),
        ("What average price per share did Acme pay for the shares it repurchased?", []),
        ("How much did Acme make from advertising?", ["12060"]),
        ("What was Acme's earnings per share?", ["1.26", "1.27"]),
        ("What was Acme's pre-tax loss?", ["-120"]),
        ("How much commercial paper did Acme have outstanding?", ["3993"]),
        ("What was the fair value of Acme's Treasury notes?", ["20920"]),
    ],
)
def test_the_verb_and_the_neighbours_settle_what_a_word_means(question: str, values: list[str]) -> None:
    graph = build(
        parsed(
            document(),
            table(
                "income",
                figure("Income (loss) before taxes", "-120"),
                figure("Basic", "1.27", path=("Earnings per share",), unit="USD/share", scale=0),
                figure("Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0),
            ),
            table(
                "balance",
                figure("Cash and cash equivalents", "28408", BALANCE, ("Current assets",)),
                figure("Property and equipment, net", "43550", BALANCE),
                figure("Commercial paper", "3993", BALANCE, ("Current liabilities",)),
            ),
            table(
                "cash_flow",
                figure("Purchases of property and equipment", "-11455"),
                figure("Payments for dividends", "-3800"),
                figure("Repurchases of common stock", "-18000"),
                figure("Cash used in financing activities", "-83955"),
            ),
            table("other", figure("Advertising services", "12060", path=("Net Sales",)), title="Groups"),
            table("other", figure("Treasury notes", "20920", BALANCE, ("Fair Value",)), title="Securities"),
        )
    )
    assert sorted(sure(graph, question)) == sorted(values)


def test_guidance_answers_only_a_question_for_guidance() -> None:
    from builders import prose

    doc = document(doc_type="call", end=None)
    said = (prose(doc, "For the fourth quarter we expect revenue of $85 million. Revenue was $81 million."),)
    graph = build(parsed(doc, chunks=said))
    assert sure(graph, "What revenue does Acme expect?", Scope(("ACME",))) == ["85"]
    assert sure(graph, "What is Acme's revenue guidance?", Scope(("ACME",))) == ["85"]
    assert sure(graph, "What was Acme's revenue?", Scope(("ACME",))) == ["81"]


def test_what_a_table_expects_of_a_later_year_is_found_by_the_year() -> None:
    title = (
        "The following table outlines the estimated future amortization expense related to intangible assets"
    )
    table_of_years = table(
        "other",
        figure("2024", "433", BALANCE, ("Fiscal Year",)),
        figure("2025", "554", BALANCE, ("Fiscal Year",)),
        figure("Total", "987", BALANCE, ("Fiscal Year",)),
        title=title,
    )
    graph = build(parsed(document(), table_of_years))
    assert sure(
        graph, "At July 1, 2023, what amortization of intangibles was Acme expecting for fiscal 2025?"
    )[:1] == ["554"]
    headed = table(
        "other",
        figure(
            "2025", "554", BALANCE, ("estimated future amortization expense related to intangible assets",)
        ),
    )
    graph = build(parsed(document(), headed))
    assert sure(graph, "How much intangible-asset amortization did Acme expect for fiscal year 2025?") == [
        "554"
    ]


def test_the_total_of_a_table_of_commitments_by_fiscal_year_is_found_by_its_title() -> None:
    commitments = table(
        "other",
        figure("2025", "1816", BALANCE, ("Fiscal Year", "Commitments")),
        figure("Total", "10527", BALANCE, ("Fiscal Year", "Commitments")),
        title="Total future purchase commitments as of July 1, 2023 are as follows",
    )
    graph = build(parsed(document(), commitments))
    assert sure(graph, "What were Acme's total future purchase commitments?") == ["10527"]
    assert sure(graph, "How much of Acme's purchase commitments falls in fiscal 2025?")[:1] == ["1816"]


def test_shares_bought_are_those_of_the_sentence_not_the_reduction_in_equity() -> None:
    equity = table("equity", figure("Shares repurchased", "-28", path=("Shares",), unit="shares"))
    bought = table("other", figure("Shares repurchased", "28", unit="shares"))
    graph = build(parsed(document(), equity, bought))
    asked = "What number of shares repurchased did Acme report for the quarter?"
    assert sure(graph, asked)[0] == "28"
    assert sure(build(parsed(document(), equity)), asked) == []


def test_shares_bought_are_not_the_amount_paid_for_them_in_the_same_table() -> None:
    title = "We repurchased the following shares of common stock under the share repurchase program"
    quarter = Period(END, 3, 2023, 3)
    bought = table(
        "other",
        figure("Third Quarter", "18", quarter, ("Shares 2023",), unit="shares"),
        figure("Third Quarter", "4600", quarter, ("Amount 2023",)),
        title=title,
    )
    graph = build(parsed(document(), bought))
    assert sure(
        graph, "How many million shares repurchased did Acme report for the third quarter of fiscal 2023?"
    ) == ["18"]
