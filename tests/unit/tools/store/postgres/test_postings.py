"""tools.store.postgres.postings: the best and their scores are those that bm25s finds by looking at everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.store.postgres import postings
from tools.store.postgres.postings import KeptPostings, Postings, Statistics, added_up, best, covered
from tools.vector.keywords import KeywordIndex, tokenize

WORDS = ("chip", "sale", "margin", "store", "tariff", "cash", "no", "wafer")
texts_of = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=40
).filter(lambda texts: any(texts))


class Corpus:
    """Texts as postings, three to a document; notes what is fetched."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.ids = [f"{number:03}" for number in range(len(texts))]
        terms = [Counter(tokenize(text)) for text in texts]
        self.documents = [str(number // 3) for number in range(len(texts))]
        self.known = Statistics(
            len(texts), sum(map(Counter.total, terms)), Counter(term for own in terms for term in own)
        )
        rows = dict[tuple[str, str], list[tuple[int, int, int]]]()
        for number, (own, document) in enumerate(zip(terms, self.documents, strict=True)):
            for term, count in own.items():
                rows.setdefault((term, document), []).append((number, count, own.total()))
        self.rows = rows
        self.fetched: list[str] = []

    def fetch(self, terms: Sequence[str], documents: Sequence[str] | None) -> list[Postings]:
        self.fetched += [] if documents is not None else terms
        found = []
        for term in terms:
            own = {
                document: entries
                for (held, document), entries in reversed(self.rows.items())
                if held == term and (documents is None or document in documents)
            }
            if own:
                data = b"".join(map(postings.encoded, own.values()))
                holders = [len(entries) for entries in own.values()]
                found.append(Postings.read(term, data, list(own), holders, self.known))
        return found


@settings(max_examples=200, deadline=None)
@given(
    texts=texts_of,
    asked=st.lists(st.sampled_from((*WORDS, "zebra")), max_size=5),
    pool=st.integers(1, 6),
    at_once=st.sampled_from([0, 9, 2_000]),
)
def test_the_best_and_their_scores_and_coverage_are_those_of_the_folders_index(
    texts: list[str], asked: list[str], pool: int, at_once: int
) -> None:
    corpus, query = Corpus(texts), " ".join(asked)
    index = KeywordIndex.build(corpus.ids, texts)
    terms = list(dict.fromkeys(tokenize(query)))
    for within in (None, sorted(set(corpus.documents))[::2]):
        allowed = np.array([within is None or document in within for document in corpus.documents])
        scores = index.scores(query, allowed)
        order = [at for at in np.argsort(-scores, kind="stable")[:pool] if scores[at] > 0]
        numbers, found = best(terms, corpus.known, within, pool, corpus.fetch, at_once)
        ranked = sorted(zip(-found, numbers.tolist(), strict=True))[:pool]
        assert [number for _, number in ranked] == order
        assert np.array_equal(found, scores[numbers])
    everything = np.arange(len(texts), dtype=np.uint32)
    total, held = added_up(terms, corpus.fetch(terms, None), everything)
    assert np.array_equal(total, index.scores(query))
    assert np.array_equal(
        covered(terms, held, len(texts), corpus.known), index.coverage(query, everything.astype(np.int64))
    )


def test_a_term_that_nearly_all_texts_hold_is_not_fetched_whole() -> None:
    texts = ["wafer tariff chip", "tariff wafer", *["chip"] * 60]
    corpus = Corpus(texts)
    numbers, _ = best(["chip", "wafer", "tariff"], corpus.known, None, 2, corpus.fetch, at_once=2)
    assert numbers.tolist() == [0, 1]
    assert "chip" not in corpus.fetched


def test_a_long_term_has_a_short_key_of_its_own() -> None:
    one, other = "x" * 5_000, "x" * 5_001
    assert postings.key_of("chip") == "chip"
    assert postings.key_of(one) != postings.key_of(other)
    assert len(postings.key_of(one)) <= postings.MAX_KEY_BYTES


def of_term(term: str, chunks: int) -> Postings:
    data = postings.encoded((number, 1, 3) for number in reversed(range(chunks)))
    return Postings.read(
        term, data, ["a", "b"], [1, chunks - 1], Statistics(chunks, 3 * chunks, {term: chunks})
    )


def test_postings_are_by_number_and_know_their_document() -> None:
    own = of_term("chip", 4)
    assert own.numbers.tolist() == [0, 1, 2, 3] and own.of.tolist() == [1, 1, 1, 0]
    assert own.within({"a"}).numbers.tolist() == [3]
    assert own.within({"a", "b"}) is own
    holds, places = own.places(np.array([2, 3, 9], np.uint32))
    assert holds.tolist() == [True, True, False] and places.tolist() == [2, 3]


def test_what_was_asked_for_longest_ago_is_let_go_of_first() -> None:
    kept = KeptPostings(most=3 * of_term("chip", 4).bytes)
    kept.keep([of_term("chip", 4), of_term("sale", 4), of_term("cash", 4)])
    kept.keep([of_term("sale", 4)])  # again: counted once
    assert kept.get("chip") is not None
    kept.keep([of_term("wafer", 4)])
    assert [kept.get(term) is None for term in ("chip", "sale", "cash", "wafer")] == [
        False,
        False,
        True,
        False,
    ]
    kept.keep([of_term("tariff", 400)])
    assert kept.get("tariff") is None and kept.get("wafer") is not None
