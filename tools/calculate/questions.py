"""What a question asks to be computed, as learnt from questions that people labelled: the operation, what is done with
its results, a measure of the catalogue, and the words that name its figures.

`python -m evals.learn_sums` writes the weights, `data/questions.npz`: softmax regressions over word sequences and the
question's embedding for operation, use and measure; for the words a softmax over each token and its neighbours, and
Viterbi's best sequence.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, get_args
from typing import Literal as L
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.model_files import ModelFileError
from tools.period_words import MONTHS

WEIGHTS = Path(__file__).parent / "data" / "questions.npz"
Operation = L[
    "none",
    "measure",
    "ratio",
    "share",
    "growth",
    "cagr",
    "change",
    "difference",
    "sum",
    "average",
    "period",
]
Use = L["value", "highest", "lowest", "list", "yesno"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
USES: tuple[Use, ...] = get_args(Use)
ROLES = ("", "a", "b", "more", "set")
"""Of a word: none, of the first figure, of the second, of another one, of the set that is ranked."""
MAX_WORDS = 120
MAX_MEASURES = 6
GRAM_WEIGHT, DENSE_WEIGHT = 0.5, 4.0
MOVE_WEIGHT = 0.6
"""How much the sequence of roles counts beside each word's own."""
_TOKEN = re.compile(r"[A-Za-z]+(?:[&'’/-][A-Za-z]+)*\.?|\d[\d.,]*|[^\sA-Za-z\d]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PERIOD = re.compile(r"(?:fy|cy|q[1-4]|[1-4]q|h[12]|fq)[a-z]*")
_MONTHS = frozenset((*MONTHS, *(name[:3] for name in MONTHS), "sept"))
Vector = NDArray[Any]


class Word(NamedTuple):
    """A token of a question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AskedSum:
    """What a question asks to be computed."""

    operation: Operation
    use: Use
    measures: tuple[str, ...]
    """Names in the catalogue, the likeliest first, for where the operation is or rests on one."""
    chance: float
    """Probability of operation and use together."""
    a: str = ""
    """The first or only figure, in the question's words."""
    b: str = ""
    more: tuple[str, ...] = ()
    set_words: str = ""


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt."""

    grams: Mapping[str, int]
    """Word sequence -> row of `gram_weights`."""
    measures: tuple[str, ...]
    gram_weights: Vector
    """(grams, operations + uses + measures)."""
    dense_weights: Vector
    """(embedding + 1, operations + uses + measures)."""
    features: Mapping[str, int]
    role_weights: Vector
    """(features, roles)."""
    moves: Vector
    """(roles + 1, roles) log-probabilities of the next role; the last row is that of the first word."""


def words_of(question: str) -> list[Word]:
    """Tokens, at most `MAX_WORDS`."""
    return [Word(m.group(), *m.span()) for m in _TOKEN.finditer(question)][:MAX_WORDS]


def _plain(words: Sequence[Word], at: int) -> str:
    """A word as it is learnt: years, dates and names by their kind."""
    text = words[at].text
    lower = text.lower().rstrip(".")
    if (
        _YEAR.fullmatch(text)
        or lower in _MONTHS
        or lower in ("fy", "fiscal", "cy")
        or _PERIOD.fullmatch(lower)
    ):
        return "<p>"
    if text[0].isdigit():
        return "<num>"
    opens_name = at > 0 or (lower not in FUNCTION_WORDS and len(words) > 1 and words[1].text[:1].isupper())
    return "<n>" if text[0].isupper() and not text.isupper() and opens_name else lower


def masked(question: str) -> list[str]:
    """The words as they are learnt, runs of one kind once."""
    words, out = words_of(question), list[str]()
    for at in range(len(words)):
        plain = _plain(words, at)
        if plain in ("'s", "’s", ","):
            continue
        if out and (
            (plain in ("<p>", "<n>") and out[-1] == plain) or (plain == "<num>" and out[-1] == "<p>")
        ):
            continue
        if plain == "<p>" and out and out[-1] == "<num>":
            out.pop()
        out.append(plain)
    return out


def to_embed(question: str) -> str:
    """The text whose embedding is learnt from: names and dates must not matter."""
    return " ".join(masked(question)).replace("<n>", "Acme").replace("<p>", "2020").replace("<num>", "10")


def grams_of(question: str) -> set[str]:
    """Sequences of up to three words, and how many figures are named."""
    words = ["^", *masked(question), "$"]
    found = {" ".join(words[at : at + n]) for n in (1, 2, 3) for at in range(len(words) - n + 1)}
    return found | {f"#figures {min(3, len(find_asked(question)))}"}


def features_of(question: str, operation: str, use: str) -> list[list[str]]:
    """For each word what its role is learnt from."""
    words = words_of(question)
    plain = [_plain(words, at) for at in range(len(words))]
    around = ["^", "^", "^", *plain, "$", "$", "$"]
    named = ["^", "^", *_named(question, words), "$", "$"]
    return [_features(words, plain, around, named, at, operation, use) for at in range(len(words))]


def _named(question: str, words: Sequence[Word]) -> list[str]:
    """For each word which of the question's line items it is of: '0', '1', '2' or '-'."""
    mentions = find_asked(question)
    found = []
    for word in words:
        at = next(
            (n for n, m in enumerate(mentions) if m.start <= word.start and word.end <= m.end + 1), None
        )
        found.append("-" if at is None else str(min(at, 2)))
    return found


def _features(
    words: Sequence[Word],
    plain: Sequence[str],
    around: Sequence[str],
    named: Sequence[str],
    at: int,
    operation: str,
    use: str,
) -> list[str]:
    here, raw = at + 3, words[at].text.lower()
    before, own, after = around[here - 1], around[here], around[here + 1]
    item = named[at + 2]
    link = next((each for each in reversed(plain[max(0, at - 7) : at]) if each in FUNCTION_WORDS), "")
    return [
        *(f"{n}:{around[here + n]}" for n in range(-3, 4)),
        f"b-:{before}|{own}",
        f"b+:{own}|{after}",
        f"bb:{around[here - 2]}|{before}",
        f"aa:{after}|{around[here + 2]}",
        f"r:{raw}",
        f"s:{raw[-3:]}",
        f"op:{operation}",
        f"op-:{operation}|{before}",
        f"op+:{operation}|{after}",
        f"op0:{operation}|{own}",
        f"use-:{use}|{before}",
        f"use0:{use}|{own}",
        f"both:{operation}|{use}",
        f"link:{link}",
        f"link:{operation}|{link}",
        f"pos:{min(9, 10 * at // len(words))}",
        f"m:{named[at + 1]}{item}{named[at + 3]}",
        f"mop:{item}|{operation}",
        f"muse:{item}|{operation}|{use}",
        f"m-:{item}|{before}",
        f"mb:{named[at + 1]}|{own}",
        f"ma:{named[at + 3]}|{own}",
        f"mm:{''.join(named[at : at + 5])}",
    ]


def read_sum(question: str, vector: Vector, weights: Weights | None = None) -> AskedSum:
    """What a question asks to be computed; `vector`: the embedding of `to_embed(question)`. `weights`: others than
    those that come with the program."""
    own = learnt() if weights is None else weights
    scores = np.append(vector, 1.0) @ own.dense_weights
    rows = [own.grams[gram] for gram in grams_of(question) if gram in own.grams]
    scores = scores + GRAM_WEIGHT * own.gram_weights[rows].sum(axis=0)
    parts = np.split(scores, [len(OPERATIONS), len(OPERATIONS) + len(USES)])
    shares = [np.exp(part - part.max()) / np.exp(part - part.max()).sum() for part in parts]
    operation, use = OPERATIONS[int(shares[0].argmax())], USES[int(shares[1].argmax())]
    roles = _roles(features_of(question, operation, use), own)
    spans = spans_of(question, roles)
    return AskedSum(
        operation,
        use,
        tuple(own.measures[at] for at in np.argsort(-shares[2])[:MAX_MEASURES]),
        float(shares[0].max() * shares[1].max()),
        " ".join(spans["a"]),
        " ".join(spans["b"]),
        tuple(spans["more"]),
        " ".join(spans["set"]),
    )


def _roles(features: Sequence[Iterable[str]], own: Weights) -> list[int]:
    """The most likely sequence of roles."""
    if not features:
        return []
    scores = np.stack(
        [
            own.role_weights[[own.features[f] for f in each if f in own.features]].sum(axis=0)
            for each in features
        ]
    ).astype(np.float64)
    scores -= np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1, keepdims=True)) + scores.max(
        1, keepdims=True
    )
    best = scores[0] + MOVE_WEIGHT * own.moves[-1]
    back: list[Vector] = []
    for each in scores[1:]:
        ways = best[:, None] + MOVE_WEIGHT * own.moves[:-1]
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + each
    path = [int(best.argmax())]
    for step in reversed(back):
        path.append(int(step[path[-1]]))
    return path[::-1]


def spans_of(question: str, roles: Sequence[int]) -> dict[str, list[str]]:
    """Runs of words of one role, as written."""
    found: dict[str, list[str]] = {role: [] for role in ROLES[1:]}
    words, start = words_of(question), 0
    for at in range(1, len(roles) + 1):
        if at == len(roles) or roles[at] != roles[start]:
            if roles[start]:
                text = question[words[start].start : words[at - 1].end]
                found[ROLES[roles[start]]].append(text.strip(" .,;:?'’()"))
            start = at
    return found


def save(weights: Weights, path: Path = WEIGHTS) -> None:
    """Writes what was learnt; half precision is enough. OSError if it cannot."""
    np.savez_compressed(
        path,
        grams=_packed(weights.grams),
        measures=_packed(weights.measures),
        gram_weights=weights.gram_weights.astype(np.float16),
        dense_weights=weights.dense_weights.astype(np.float16),
        features=_packed(weights.features),
        role_weights=weights.role_weights.astype(np.float16),
        moves=weights.moves.astype(np.float32),
    )


def _packed(names: Iterable[str]) -> Vector:
    return np.frombuffer("\n".join(names).encode("utf-8"), np.uint8)


@cache
def learnt() -> Weights:
    """The weights that come with the program. Raises ModelFileError where the file is missing or damaged."""
    try:
        return _read()
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise ModelFileError(
            f"{WEIGHTS.name} is damaged ({error}): install the program again, or run python -m evals.learn_sums"
        ) from error


def _read() -> Weights:
    with np.load(BytesIO(WEIGHTS.read_bytes()), allow_pickle=False) as stored:

        def names(key: str) -> list[str]:
            return bytes(stored[key]).decode("utf-8").split("\n")

        return Weights(
            {name: at for at, name in enumerate(names("grams"))},
            tuple(names("measures")),
            stored["gram_weights"].astype(np.float32),
            stored["dense_weights"].astype(np.float32),
            {name: at for at, name in enumerate(names("features"))},
            stored["role_weights"].astype(np.float32),
            stored["moves"],
        )
