"""What a question asks to be computed: words and pieces, roles as spans, what comes with the program, damaged files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tools.calculate import questions
from tools.calculate.questions import (
    HEADS,
    KINDS,
    OPERATIONS,
    ROLES,
    USES,
    WAYS,
    SumReader,
    Weights,
    _chance,
    learnt,
    of_one,
    pieces_of,
    save,
    spans_of,
    words_of,
)
from tools.model_files import ModelFileError

WIDTH = 384
READER = SumReader()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for weights of a test's own."""
    learnt.cache_clear()
    monkeypatch.setattr(questions, "WEIGHTS", tmp_path / "questions.npz")
    yield tmp_path / "questions.npz"
    learnt.cache_clear()


def weights(role: str = "") -> Weights:
    """Takes every question for the highest growth, and each word for one role."""
    numbers = (len(OPERATIONS), len(USES), 1, len(WAYS), len(KINDS), len(ROLES))
    sizes = dict(zip(HEADS, numbers, strict=True))
    biases = {name: np.zeros(size, np.float32) for name, size in sizes.items()}
    biases["operation"][OPERATIONS.index("growth")] = 8
    biases["use"][USES.index("highest")] = 8
    biases["role"][ROLES.index(role)] = 8
    heads = {
        name: (np.zeros((WIDTH if name == "role" else 2 * WIDTH, size), np.float32), biases[name])
        for name, size in sizes.items()
    }
    return Weights({}, heads, ("current ratio",), np.zeros((len(ROLES) + 1, len(ROLES)), np.float32))


def test_each_piece_is_of_a_word() -> None:
    pieces = pieces_of("EBITDA of Orla's mills?")
    words = [each.text for each in words_of("EBITDA of Orla's mills?")]
    assert words == ["EBITDA", "of", "Orla's", "mills", "?"]
    assert set(pieces.words[1:-1]) == {0, 1, 2, 3, 4} and pieces.words[0] == pieces.words[-1] == -1
    assert list(pieces.words[1:-1]) == sorted(pieces.words[1:-1])


def test_figures_that_a_stroke_or_to_puts_to_one_another_are_words_apart() -> None:
    words = [each.text for each in words_of("short-term debt-to-equity, capex/sales")]
    assert words == ["short-term", "debt", "-", "to", "-", "equity", ",", "capex", "/", "sales"]


@pytest.mark.parametrize("question", ["", " \n", "\ud800", "?" * 50_000, "revenue " * 20_000])
def test_whatever_is_asked_can_be_read(question: str) -> None:
    assert len(pieces_of(question).ids) <= questions.MAX_PIECES + 2
    assert READER.read(question).operation in OPERATIONS


def test_runs_of_one_role_are_spans_as_written() -> None:
    question = "Was operating income above (revenue) in brands?"
    of = {"operating": "a", "income": "a", "revenue": "b", "brands": "set"}
    roles = [ROLES.index(of.get(word.text, "")) for word in words_of(question)]
    found = spans_of(question, roles)
    assert found == {
        "a": ["operating income"],
        "b": ["revenue"],
        "more": [],
        "set": ["brands"],
        "of": [],
        "minus": [],
    }


def test_heads_and_roles_are_read_with_weights_of_ones_own() -> None:
    read = SumReader(weights("set")).read("Which brands grew?")
    assert (read.operation, read.use, read.set_words) == ("growth", "highest", "Which brands grew")
    assert read.chance > 0.9 and read.measures == ("current ratio",)


def test_a_change_of_the_model_is_read_with() -> None:
    own, other = weights(), weights()
    name = "encoder.layer.11.output.dense"
    change = {f"{name}.a": np.ones((1536, 1), np.float32), f"{name}.b": np.ones((1, WIDTH), np.float32)}
    head = np.random.default_rng(0).normal(size=(2 * WIDTH, len(USES))).astype(np.float32)
    for each in (own, other):
        each.heads["use"][0][:] = head  # type: ignore[index]
    plain, changed = (
        SumReader(each).read("Which brands grew?").chance
        for each in (own, Weights(change, other.heads, other.measures, other.moves))
    )
    assert plain != changed


@pytest.mark.parametrize(
    ("question", "operation", "use", "a"),
    [
        ("By what percentage did Orla's freight revenue grow in 2023?", "growth", "value", "freight revenue"),
        ("Did Quillon's capital expenditures exceed its depreciation in 2022?", "difference", "yesno", None),
        ("Which of Orla's segments had the highest operating income in 2023?", "none", "highest", None),
        ("What was Quillon's current ratio at the end of 2021?", "measure", "value", ""),
    ],
)
def test_what_comes_with_the_program_reads_plain_questions(
    question: str, operation: str, use: str, a: str | None
) -> None:
    read = READER.read(question)
    assert (read.operation, read.use) == (operation, use)
    assert a is None or read.a == a


def test_weights_are_read_as_they_were_written(kept: Path) -> None:
    save(weights("a"), kept)
    assert learnt().measures == ("current ratio",)
    assert SumReader(learnt()).read("Orla's sales?").a == "Orla's sales"


@pytest.mark.parametrize(
    ("question", "less"),
    [
        ("Did Orla's operating income shrink by more than a third?", True),
        ("Were Quillon's dividends below its free cash flow?", True),
        ("Did Orla's revenue grow by more than a third?", False),
    ],
)
def test_what_yes_means_is_read(question: str, less: bool) -> None:
    assert READER.read(question).less is less


@pytest.mark.parametrize(
    ("question", "figure", "prose"),
    [
        ("What sank Orla's operating profit in Europe?", False, True),
        ("What was Orla's operating profit in Europe?", True, False),
        ("Who runs Orla's European division?", False, False),
    ],
)
def test_what_kind_of_answer_is_asked_for_is_read(question: str, figure: bool, prose: bool) -> None:
    read = READER.read(question)
    assert (read.of_figure > 0.8, read.of_prose > 0.8) == (figure, prose)


@pytest.mark.parametrize("content", [None, b"", b"not weights", b"PK\x03\x04 cut off"])
def test_weights_that_cannot_be_read_are_named(kept: Path, content: bytes | None) -> None:
    if content is not None:
        kept.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"questions\.npz is damaged"):
        learnt()


@pytest.mark.parametrize(
    ("question", "tagged", "spans"),
    [
        ("Margins of Iron & Steel?", {"Iron", "Steel"}, ["Iron & Steel"]),
        ("Margins of Iron, Steel?", {"Iron", "Steel"}, ["Iron", "Steel"]),
        ("Sales of Walder U.S. now?", {"Walder", "U.S."}, ["Walder U.S."]),
        ("Cost of raw and spun wool?", {"raw", "spun", "wool"}, ["raw and spun wool"]),
        ("Cost of wool beside spun silk?", {"wool", "spun", "silk"}, ["wool beside spun silk"]),
        ("Cost of wool, dear spun silk?", {"wool", "spun", "silk"}, ["wool", "spun silk"]),
    ],
)
def test_what_joins_words_within_a_name_is_of_it(question: str, tagged: set[str], spans: list[str]) -> None:
    roles = [ROLES.index("a" if word.text in tagged else "") for word in words_of(question)]
    assert spans_of(question, roles)["a"] == spans


def test_what_only_brackets_say_is_left_out_where_something_else_names_the_figure() -> None:
    question = "How did capex (additions to property) grow at Orla?"
    assert of_one(question, ["capex", "property"]) == "capex"
    assert of_one(question, ["property"]) == "property"


@pytest.mark.parametrize(
    ("runs", "name"),
    [(["cash", "dividends"], "cash dividends"), (["capex", "dividends"], "capex plus dividends")],
)
def test_line_items_that_are_known_as_one_are_no_sum(runs: list[str], name: str) -> None:
    assert of_one(f"How much {runs[0]}, did Orla pay out, with {runs[1]}?", runs) == name


def test_what_a_preposition_leads_in_is_not_added() -> None:
    for asked in ("did Orla get from", "came from Orla's"):
        assert of_one(f"How much cash {asked} sales?", ["cash", "sales"]) == "cash sales"
    assert of_one("Did cash and sales of Orla fall?", ["cash", "sales"]) == "cash plus sales"


def test_a_quotient_is_as_sure_as_all_its_names_together() -> None:
    shares = np.zeros(len(OPERATIONS), np.float32)
    for name, share in {"measure": 0.4, "ratio": 0.3, "share": 0.1, "growth": 0.2}.items():
        shares[OPERATIONS.index(name)] = share
    assert _chance(shares) == pytest.approx(0.8)
    shares[OPERATIONS.index("growth")] = 0.5
    assert _chance(shares) == pytest.approx(0.5)
