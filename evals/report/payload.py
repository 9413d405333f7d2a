"""What the page's script reads: questions, rows, contexts and figures, as deflated base64. That alphabet holds no '<',
so no text of a document can end the element that carries it."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import orjson

from evals.datasets.types import ExpectedNumber, Item, Place
from evals.metric_catalog import at_k, known
from evals.metrics.gold import gold_sentences
from evals.report import charts, view
from evals.report.view import clean
from evals.results import Results
from evals.rows import Row, Score

_SCALES = {0: "", 3: " thousand", 6: " million", 9: " billion", 12: " trillion"}


def pack(data: bytes) -> str:
    """Deflated, base64. The page unpacks it with `DecompressionStream('deflate')`."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def payload(results: Results) -> str:
    """The packed data of one page."""
    return pack(orjson.dumps(_clean(data(results))))


def data(results: Results) -> dict[str, Any]:
    """As report.js reads it. A context that several rows share is held once."""
    names = {name for row in results.rows for name in row.scores}
    metrics = [one for one in known(names) if at_k(one.name) is None]
    rows = {(row.pipeline, row.id): row for row in results.rows}
    texts: dict[tuple[str, str, int, str], int] = {}
    questions = []
    for item in results.items:
        sentences = [clean(sentence) for sentence in gold_sentences(item)]
        found = [rows.get((pipeline, item.id)) for pipeline in results.pipelines]
        questions.append(
            _item(item) | {"rows": [row and _row(row, sentences, texts) for row in found]},
        )
    headline = [one.name for one in view.headline_metrics(results)]
    return {
        "pipelines": [{"name": name, "role": charts.role(name)} for name in results.pipelines],
        "subject": view.subject(results),
        "metrics": [
            {"name": one.name, "title": one.title, "better": one.better, "unit": one.unit} for one in metrics
        ],
        "metric": headline[0] if headline else None,
        "items": questions,
        "contexts": [
            {"document": document, "source": source, "page": page, "text": text}
            for document, source, page, text in texts
        ],
        "charts": charts.figures(results),
    }


def _item(item: Item) -> dict[str, Any]:
    filters = [item.company, item.year, f"Q{item.quarter}" if item.quarter else None]
    gold = [passage for passage in item.gold if passage != item.answer]
    return {
        "id": item.id,
        "question": item.question,
        "filters": " \u00b7 ".join(str(part) for part in filters if part is not None),
        "kind": item.kind,
        "answer": item.answer,
        "gold": gold,
        "numbers": [_figure(figure) for figure in item.numbers],
        "places": [_place(place) for place in item.places],
        "route": item.route,
        "answerable": item.answerable,
    }


def _row(row: Row, sentences: list[str], texts: dict[tuple[str, str, int, str], int]) -> dict[str, Any]:
    contexts = []
    for context in row.contexts:
        key = (context.document, context.source, context.page, context.text)
        number = texts.setdefault(key, len(texts))
        contexts.append([number, round(context.score, 4), gold_spans(clean(context.text), sentences)])
    return {
        "status": row.status,
        "error": row.error,
        "reason": row.reason,
        "answer": row.answer,
        "route": row.route,
        "tools": row.tools,
        "widened": row.widened,
        "engine": row.engine,
        "tokens": row.usage.input_tokens + row.usage.output_tokens,
        "seconds": row.seconds.get("total"),
        "contexts": contexts,
        "citations": [[c.marker, c.document, c.page, c.quote] for c in row.citations],
        "statements": [[s.text, s.supported, s.reason, s.evidence] for s in row.statements],
        "faithfulness": row.faithfulness,
        "scores": {name: _score(score) for name, score in row.scores.items() if at_k(name) is None},
    }


def _score(score: Score) -> list[Any]:
    return [score.value, score.reason, score.failed]


def _figure(figure: ExpectedNumber) -> str:
    value = format(figure.value.normalize() if figure.value == 0 else figure.value, ",f")
    return f"{value}{_SCALES.get(figure.scale, f'e{figure.scale}')} {figure.unit}".strip()


def _place(place: Place) -> str:
    return place.document if place.page is None else f"{place.document} p. {place.page}"


def gold_spans(text: str, sentences: Iterable[str]) -> list[list[int]]:
    """Where the sentences stand in the text, white space folded: [start, end) in code points, joined where they
    touch."""
    words = [(match.start(), match.group()) for match in re.finditer(r"\S+", text)]
    folded = " ".join(word for _, word in words)
    places: list[int] = []
    for start, word in words:
        places += range(
            start, start + len(word) + 1
        )  # the folded space stands for the white space after the word
    spans = []
    for sentence in sentences:
        at = folded.find(sentence)
        if at >= 0:
            spans.append([places[at], places[at + len(sentence) - 1] + 1])
    joined: list[list[int]] = []
    for span in sorted(spans):
        if joined and span[0] <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], span[1])
        else:
            joined.append(span)
    return joined


def _clean(value: Any) -> Any:
    """Every text in it made inert and encodable; its length in characters stays."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): _clean(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(part) for part in value]
    return str(value) if isinstance(value, Decimal) else value
