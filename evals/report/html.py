"""report.html: one file that opens without a network. Tables are written here; charts and questions are drawn by
report.js from packed data. A content-security policy admits no address and no script but the page's own, by hash."""

from __future__ import annotations

import base64
import hashlib
import html
from collections import Counter
from collections.abc import Sequence
from importlib import resources

from evals.compare import Difference
from evals.metric_catalog import short
from evals.report import view
from evals.report.charts import role
from evals.report.payload import pack, payload
from evals.report.view import Cell, Claim, Line
from evals.results import Results

NOTHING = "No question was scored, so there is nothing to compare."
NO_CHARTS = "Charts need Plotly: pip install 'hybridrag[evals]', then hybridrag eval report."


def page(results: Results) -> str:
    """The whole document."""
    library = _plotly()
    own = _asset("report.js")
    scripts = [own] if library is None else [own, library]
    parts = [
        head(f"Evaluation: {results.dataset.name}", scripts),
        _header(results),
        "<main>",
        _headline(results),
        _comparison(results),
        _bars(library is None),
        _over_k(results),
        _cost(results),
        _outcomes(results),
        _kinds(results),
        _questions(results),
        _about(results),
        "</main>",
        f'<script type="application/octet-stream" id="data">{payload(results)}</script>',
    ]
    if library is not None:
        packed = pack(library.encode("utf-8"))
        parts.append(f'<script type="application/octet-stream" id="library">{packed}</script>')
    parts.append(f"<script>{own}</script></body></html>\n")
    return "\n".join(part for part in parts if part)


def head(title: str, scripts: Sequence[str] = ()) -> str:
    """A page up to its body: the reports' style, and no script but these."""
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
            f"<title>{escaped(title)}</title><style>{_asset('report.css')}</style></head><body>",
        )
    )


def escaped(value: str) -> str:
    """Text, without mark-up or direction-changing characters."""
    return html.escape(view.clean(value))


def _asset(name: str) -> str:
    return resources.files("evals.report").joinpath("assets", name).read_text(encoding="utf-8")


def _plotly() -> str | None:
    """The charts' library as JavaScript; None without the extra `evals`."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        return None
    return str(get_plotlyjs())


def _policy(scripts: Sequence[str]) -> str:
    digests = [
        base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode() for script in scripts
    ]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    # Plotly places its labels with style attributes.
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _header(results: Results) -> str:
    asked = len(results.items)
    count = (
        f"{asked:,} questions"
        if asked == results.dataset.items
        else f"{asked:,} of {results.dataset.items:,} questions"
    )
    engines = sorted({row.engine for row in results.rows}) or [
        str(results.config.settings.get("engine", "unknown"))
    ]
    facts = [
        ("Questions", count),
        ("Run", _moment(results.created)),
        ("Commit", short(results.commit)),
        ("Engine", ", ".join(engines)),
        ("Took", _duration(results.seconds)),
    ]
    listed = "".join(f"<div><dt>{name}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts)
    name = escaped(results.dataset.name)
    return f'<header><p class="eyebrow">HybridRAG evaluation</p><h1>{name}</h1><dl>{listed}</dl></header>'


def _moment(created: str) -> str:
    """'2026-03-01 09:30 UTC' of an ISO time in UTC."""
    return created[:16].replace("T", " ") + " UTC"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _headline(results: Results) -> str:
    claims = view.headline(results)
    if not claims:
        return f'<section><p class="empty">{NOTHING}</p></section>'
    name = view.subject(results) or ""
    cards = "".join(_claim(claim, name) for claim in claims)
    return f'<section class="claims" aria-label="Headline">{cards}</section>'


def _claim(claim: Claim, name: str) -> str:
    words = "".join(
        f'<li class="{found.verdict}"><span class="mark">{_verdict(found)}</span> {escaped(words)}</li>'
        for found, words in claim.against
    )
    listed = f"<ul>{words}</ul>" if words else ""
    of = f"{claim.metric.unit}, {name}" if claim.metric.unit else name
    return (
        f'<div class="claim"><h2>{escaped(claim.metric.title)}</h2>'
        f'<p class="figure"><b>{claim.mean}</b> <span>{escaped(of)}</span></p>{listed}</div>'
    )


def _verdict(found: Difference) -> str:
    if found.ties == found.questions:
        return "Same"
    return {"better": "Better", "worse": "Worse", "unclear": "Unclear"}[found.verdict]


def _comparison(results: Results) -> str:
    if not results.pipelines:
        return ""
    main = _table(results, view.table_5(results), "The paper's four metrics")
    others = view.other_metrics(results)
    rest = _table(results, others, "All other metrics") if others else ""
    folded = f'<details class="more"><summary>All other metrics</summary>{rest}</details>' if rest else ""
    return (
        '<section id="comparison"><h2>Comparison</h2>'
        '<p class="lead">The four metrics of the paper\u2019s Table 5, as a judge sees them and as measured '
        "without a model. Each mean with its 95\u202f% bootstrap interval over questions and what was scored; "
        f"the best of a row is marked.</p>{main}{folded}</section>"
    )


def _table(results: Results, lines: Sequence[Line], caption: str) -> str:
    totals = view.status_counts(results)
    heads = "".join(
        f'<th scope="col" class="{role(name)}">{escaped(name)}<small>{_asked(totals[name])}</small></th>'
        for name in results.pipelines
    )
    body = "".join(_line(line) for line in lines)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table><caption>{caption}</caption>'
        f'<thead><tr><th scope="col">Metric</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _asked(ended: Counter[str]) -> str:
    return f"{ended.total()} questions" + (f", {ended['failed']} failed" if ended["failed"] else "")


def _line(line: Line) -> str:
    one = line.metric
    note = f"<small>{line.note}</small>" if line.note else ""
    head = f'<th scope="row">{escaped(one.title)}{note}</th>'
    return f'<tr data-metric="{escaped(one.name)}">{head}{"".join(map(_cell, line.cells))}</tr>'


def _cell(cell: Cell) -> str:
    best = ' class="best"' if cell.best else ""
    return f"<td{best}><b>{cell.mean}</b><small>{cell.interval}</small><small>{cell.counts}</small></td>"


def _charts(section: str) -> str:
    return f'<div class="charts" data-charts="{section}"></div>'


def _bars(missing: bool) -> str:
    if missing:
        return f'<section><h2>Each metric</h2><p class="empty">{html.escape(NO_CHARTS)}</p></section>'
    return f'<section id="bars"><h2>Each metric</h2>{_charts("bars")}</section>'


def _over_k(results: Results) -> str:
    return (
        f'<section id="k"><h2>Over k</h2><div class="legends"></div>{_charts("k")}</section>'
        if view.at_each_k(results)
        else ""
    )


def _cost(results: Results) -> str:
    if not results.pipelines:
        return ""
    table = _plain("Seconds a question", results.pipelines, view.latency_rows(results))
    return (
        '<section id="latency"><h2>Latency</h2><p class="lead">Seconds a question, failed ones left out.</p>'
        f'<div class="beside">{table}{_charts("latency")}</div></section>'
    )


def _outcomes(results: Results) -> str:
    if not results.pipelines:
        return ""
    counted = view.status_counts(results)
    rows = [
        (status.capitalize(), tuple(str(found[status]) for found in counted.values()))
        for status in view.STATUSES
    ]
    twice = tuple(str(view.widened(results.rows_of(name))) for name in results.pipelines)
    table = _plain("Questions by outcome", results.pipelines, [*rows, ("Searched again, wider", twice)])
    return (
        f'<section id="outcomes"><h2>Outcomes and routes</h2><div class="beside">{table}{_charts("status")}</div>'
        f"{_charts('route')}</section>"
    )


def _kinds(results: Results) -> str:
    if not view.kinds(results):
        return ""
    tables = "".join(
        f"<h3>{escaped(one.title)}</h3>" + _plain(one.title, results.pipelines, lines)
        for one, lines in view.by_kind(results)
    )
    lead = '<p class="lead">Mean, and how many questions were scored.</p>'
    return f'<section id="kinds"><h2>By kind of question</h2>{lead}{tables}</section>'


def _plain(caption: str, pipelines: Sequence[str], rows: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    heads = "".join(f'<th scope="col" class="{role(name)}">{escaped(name)}</th>' for name in pipelines)
    body = "".join(
        f'<tr><th scope="row">{escaped(label)}</th>'
        + "".join(f"<td>{escaped(cell)}</td>" for cell in cells)
        + "</tr>"
        for label, cells in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escaped(caption)}"><table class="small">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _questions(results: Results) -> str:
    if not results.items:
        return ""
    return (
        '<section id="questions"><h2>Questions</h2><form id="filters" class="filters" role="search"></form>'
        '<p id="count" class="lead" aria-live="polite">Reading the questions\u2026</p><div id="list"></div>'
        "<noscript><p>The questions need JavaScript; everything above does not.</p></noscript></section>"
    )


def _about(results: Results) -> str:
    notes = "".join(f"<li>{escaped(note)}</li>" for note in (*results.dataset.notes, *results.notes))
    config = results.config
    facts = [("Data", results.dataset.data_hash), ("Seed", str(config.seed)), ("Code", config.code)]
    facts += [(f"Index, {name}", digest) for name, digest in config.indexes.items()]
    facts += [(name, str(value)) for name, value in sorted(config.settings.items())]
    facts += [(f"{name} version", version) for name, version in sorted(results.versions.items())]
    rows = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts if value
    )
    listed = f"<h3>Notes</h3><ul class=notes>{notes}</ul>" if notes else ""
    return (
        f'<section id="about"><h2>About this run</h2>{listed}'
        '<details class="more"><summary>Settings, versions and digests</summary>'
        f'<dl class="facts">{rows}</dl></details></section>'
    )
