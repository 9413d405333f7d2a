"""What a question asks to be computed, as learnt from questions that people labelled: the operation, what is done with
its results, a measure of the catalogue, and the words that name its figures.

bge-small-en-v1.5 reads the question, with a change of low rank that `python -m evals.learn_sums` writes together with
what tells operation, use, measure, kind of answer and each word's role from its states, `data/questions.npz`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args
from typing import Literal as L
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tools.bge_small import OUTPUT, session
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.integer_bert import INPUT
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.model_files import ModelFileError
from tools.vector.embeddings import tokenizer

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
QUOTIENTS: tuple[Operation, ...] = ("measure", "ratio", "share")
ENDS: tuple[L["highest", "lowest"], ...] = ("highest", "lowest")
ROLES = ("", "a", "b", "more", "set", "of", "minus")
"""Of a word: none, of the first figure, of the second, of one added to either, of the set that is ranked, of the figure
in which two parts are compared, of one taken from either before anything else is done."""
WAYS = ("more", "less")
"""Whether yes means that the first figure or the result is more than the second or the limit, or less, or fell."""
MAX_CHARS, MAX_PIECES = 600, 126
"""What is read of a question."""
MAX_MEASURES = 6
MOVE_WEIGHT = 0.4
"""How much the sequence of roles counts beside each word's own."""
COMPANY = "acme"
"""What the company asked about is called for the model."""
KINDS = ("fact", "relation", "list", "reason", "summary", "definition")
"""What kind of answer is asked for."""
PROSE = ("reason", "summary", "definition")
HEADS = ("operation", "use", "measure", "way", "kind", "role")
_TOKEN = re.compile(
    r"(?:[A-Za-z]\.){2,}|[A-Za-z]+(?:(?:[&'’]|-(?!to-)(?<!-to-))[A-Za-z]+)*\.?|\d[\d.,]*|[^\sA-Za-z\d]",
    re.IGNORECASE,
)
"""Of 'debt-to-equity' and 'capex/sales' the figures are apart."""
_LETTERS = re.compile(r"(?:[A-Za-z]\.){2,}$")
_CHANGE = "change."
_FIGURES = frozenset(ROLES.index(each) for each in ("a", "b", "of"))
_WITHIN = frozenset("&/-–")
"""Between two words of one role what is of the same."""
Vector = NDArray[Any]


_ADDS = re.compile(r"[,;&+]|\b(?:and|plus|both|with)\b")
_LED_IN = re.compile(
    r"\b(?:from|in|into|through|by|on|of|at|under|within|before|after)\s+(?:(?:the|its|their|[A-Z]\S*)\s+)*$"
)
"""Before words that say more of those before them."""


class Word(NamedTuple):
    """A token of a question."""

    text: str
    start: int
    end: int


class Pieces(NamedTuple):
    """A question as the model is given it."""

    ids: Sequence[int]
    words: Sequence[int]
    """For each piece which word it is of, -1 for the marks at both ends."""


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
    """What it is divided by, compared with, or what is taken from it."""
    more: tuple[str, ...] = ()
    """What is added to either of them, to the one that stands before it."""
    minus: tuple[str, ...] = ()
    """What is taken from either of them first, as 'current assets less inventory' of a ratio."""
    set_words: str = ""
    """Of what is ranked or listed; what stands apart is joined by semicolons."""
    of: str = ""
    """The figure in which `a` and `b`, segments say, are compared."""
    less: bool = False
    """Whether yes, or standing in the list, means less, see `WAYS`."""
    end: L["highest", "lowest"] = "highest"
    """The likelier end, where several are listed."""
    share: float = 0.0
    """Probability that the operation is a share."""
    of_measure: float = 1.0
    """Probability of the likeliest measure among all."""
    whether: float = 0.0
    """Probability that it is asked whether something holds of a result, whatever the operation."""
    of_figure: float = 1.0
    """Probability that a figure is asked for."""
    of_prose: float = 0.0
    """Probability that a reason, a summary or a definition is."""
    of_sum: float = 0.0
    """Probability that something is to be computed, of whatever figures; one of another period may be printed."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt."""

    change: Mapping[str, Vector]
    """Of the model, as `tools.integer_bert.BertFile` takes it."""
    heads: Mapping[str, tuple[Vector, Vector]]
    """Weights and bias of each of `HEADS`: roles, the last, from a piece's state (width,), the others from the first
    state and the mean of all (2 width,)."""
    measures: tuple[str, ...]
    moves: Vector
    """(roles + 1, roles) log-probabilities of the next role; the last row is that of the first word."""


def words_of(question: str) -> list[Word]:
    """Tokens of what is read of a question."""
    return [Word(m.group(), *m.span()) for m in _TOKEN.finditer(question[:MAX_CHARS])]


def pieces_of(question: str, names: Collection[str] = ()) -> Pieces:
    """Word pieces, at most `MAX_PIECES` and the marks at both ends. Each of `names`, as the question writes them, is
    given as `COMPANY`: what it is called must not matter. ModelFileError on missing or altered files."""
    marks, ids, of = tokenizer().encode(""), list[int](), list[int]()
    ends = {m.start(): m.end() for name in names if name for m in re.finditer(re.escape(name), question)}
    end = 0
    for number, word in enumerate(words_of(question)):
        text = word.text
        if word.start in ends:
            end = ends[word.start]
            text = COMPANY + question[end : max(end, word.end)]
        elif word.start < end:
            text = question[end : max(end, word.end)]
        pieces = (
            tokenizer().encode(text.encode("utf-8", "replace").decode("utf-8"), add_special_tokens=False).ids
        )
        ids += pieces
        of += [number] * len(pieces)
    return Pieces([marks.ids[0], *ids[:MAX_PIECES], marks.ids[-1]], [-1, *of[:MAX_PIECES], -1])


class SumReader:
    """Reads what questions ask to be computed. `weights`: others than those that come with the program."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._given = weights

    def read(self, question: str, names: Collection[str] = ()) -> AskedSum:
        """`names`: of the company asked about, as the question writes them. Some 8 ms. ModelFileError on missing,
        altered or damaged files."""
        own = learnt() if self._given is None else self._given
        pieces = pieces_of(question, names)
        (states,) = self._session.run([OUTPUT], {INPUT: np.asarray([pieces.ids], np.int64)})[0]
        whole = np.append(states[0], states.mean(axis=0))
        shares = {name: _shares(whole, own.heads[name]) for name in HEADS[:-1]}
        chances = _shares(states, own.heads["role"])
        spans = spans_of(question, _roles(chances, pieces.words, len(words_of(question)), own.moves))
        kinds = dict(zip(KINDS, map(float, shares["kind"]), strict=True))
        return AskedSum(
            OPERATIONS[int(shares["operation"].argmax())],
            USES[int(shares["use"].argmax())],
            tuple(own.measures[at] for at in np.argsort(-shares["measure"])[:MAX_MEASURES]),
            _chance(shares["operation"]) * float(shares["use"].max()),
            of_one(question, spans["a"]),
            of_one(question, spans["b"]),
            tuple(spans["more"]),
            tuple(spans["minus"]),
            "; ".join(spans["set"]),
            " ".join(spans["of"]),
            bool(shares["way"].argmax()),
            max(ENDS, key=lambda end: shares["use"][USES.index(end)]),
            float(shares["operation"][OPERATIONS.index("share")]),
            float(shares["measure"].max()),
            float(shares["use"][USES.index("yesno")] * (1 - shares["operation"][OPERATIONS.index("none")])),
            kinds["fact"],
            sum(kinds[kind] for kind in PROSE),
            1 - sum(float(shares["operation"][OPERATIONS.index(each)]) for each in ("none", "period")),
        )

    @cached_property
    def _session(self) -> Any:
        return _learnt_session() if self._given is None else session(self._given.change)


def _chance(shares: Vector) -> float:
    """Probability of the likeliest operation; what it is of is a quotient by any name."""
    best = int(shares.argmax())
    alike = [OPERATIONS.index(each) for each in QUOTIENTS]
    return float(shares[alike].sum() if best in alike else shares[best])


def _shares(states: Vector, head: tuple[Vector, Vector]) -> Vector:
    weights, bias = head
    scores = states @ weights + bias
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Vector = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def _roles(chances: Vector, words: Sequence[int], many: int, moves: Vector) -> list[int]:
    """The most likely sequence of the words' roles (Viterbi); a word's own is the mean of its pieces', none where it
    has no piece."""
    if not many:
        return []
    scores = np.full((many, len(ROLES)), -9.0)
    scores[:, 0] = 0
    at = np.asarray(words)
    for word in range(many):
        if (at == word).any():
            scores[word] = np.log(chances[at == word] + 1e-9).mean(axis=0)
    best = scores[0] + MOVE_WEIGHT * moves[-1]
    back: list[Vector] = []
    for each in scores[1:]:
        ways = best[:, None] + MOVE_WEIGHT * moves[:-1]
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
    roles = [_between(roles, words, at) or role for at, role in enumerate(roles)]
    for at in range(1, len(roles) + 1):
        if at == len(roles) or roles[at] != roles[start]:
            if roles[start]:
                text = question[words[start].start : words[at - 1].end]
                found[ROLES[roles[start]]].append(_bare(text))
            start = at
    return found


def _bare(text: str) -> str:
    """Without marks at its ends, but for the last point of 'U.S.'."""
    bare = text.strip(" .,;:?'’()")
    return f"{bare}." if _LETTERS.search(text.rstrip(" ,;:?'’()")) else bare


def _between(roles: Sequence[int], words: Sequence[Word], at: int) -> int:
    """The role of both neighbours of what joins words within a name, in a figure's also of 'and' or 'of'; else 0."""
    before, after = (roles[n] if 0 <= n < len(roles) else 0 for n in (at - 1, at + 1))
    joins = words[at].text in _WITHIN or (before in _FIGURES and words[at].text.lower() in FUNCTION_WORDS)
    return before if before == after and joins else 0


def of_one(question: str, spans: Sequence[str]) -> str:
    """The words of one figure: runs of one clause together, those of several as names for the same, the last first;
    without what only brackets say where something else does, and what another run says, too."""
    outside = re.sub(r"\([^()]*\)", " ", question)
    spans = [span for span in dict.fromkeys(spans) if span in outside] or spans
    spans = [
        span for span in spans if not any(f" {span} " in f" {other} " for other in spans if other != span)
    ]
    clauses = re.split(r"[.?!](?=\s+[A-Z])|[:;](?=\s)", question)
    own = [[span for span in spans if span in clause] for clause in clauses]
    if sorted(span for each in own for span in each) != sorted(spans):
        return " ".join(spans)
    both = list(zip(own, clauses, strict=True))
    return "|".join(_together(each, clause) for each, clause in reversed(both) if each)


def _together(runs: Sequence[str], clause: str) -> str:
    """Runs of one clause as one name, but line items that are known each by itself, and not as one ('cash dividends'),
    as a sum, where something between them adds; nothing that a preposition leads in ('cash, and from operations')."""
    whole = " ".join(runs)
    names = [{mention.canonical for mention in find_asked(run)} for run in runs]
    apart = len(runs) > 1 and all(names) and not any(one & other for one, other in pairwise(names))
    between = [clause[clause.find(one) + len(one) : clause.find(other)] for one, other in pairwise(runs)]
    apart = apart and all(_ADDS.search(each) and not _LED_IN.search(each) for each in between)
    return " plus ".join(runs) if apart and len(find_asked(whole)) > 1 else whole


def first_name(words: str) -> str:
    """Of names for the same figure the first."""
    return words.partition("|")[0]


@cache
def _learnt_session() -> Any:
    """The model as it reads, once in a process."""
    return session(learnt().change)


def save(weights: Weights, path: Path = WEIGHTS) -> None:
    """Writes what was learnt; half precision is enough. OSError if it cannot."""
    heads = {
        f"{name}.{part}": each
        for name, pair in weights.heads.items()
        for part, each in zip("wb", pair, strict=True)
    }
    changes = {f"{_CHANGE}{name}": each for name, each in weights.change.items()}
    arrays = {**changes, **heads, "moves": weights.moves}
    stored: Any = {name: each.astype(np.float16) for name, each in arrays.items()}
    np.savez_compressed(path, measures=_packed(weights.measures), **stored)


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
        arrays = {name: stored[name].astype(np.float32) for name in stored.files if name != "measures"}
        return Weights(
            {name.removeprefix(_CHANGE): each for name, each in arrays.items() if name.startswith(_CHANGE)},
            {name: (arrays[f"{name}.w"], arrays[f"{name}.b"]) for name in HEADS},
            tuple(bytes(stored["measures"]).decode("utf-8").split("\n")),
            arrays["moves"],
        )
