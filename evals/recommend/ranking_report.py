"""report.md and report.html: the same tables, of which both are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.metric_catalog import short
from evals.recommend.ranking_results import METRICS, ORDERS, Figure, Measured, RankingResults
from evals.recommend.recommenders import RECOMMENDERS
from evals.report.html import escaped, head
from evals.report.markdown import grid, inline
from tools.store.disk.home import replace_file

REPORTS = ("report.md", "report.html")
PROTOCOL = (
    "Leave one out: of each user the last event tests, the one before it validates, the others are learned from. The "
    "test item is ranked among all items by what came before it; its rank counts items with a higher score, and those "
    "with an equal one that come first in the file. HR at k: test items among the first k; NDCG at k: 1 / log2(rank + "
    "1) of those. Means over users, each user's value the mean over seeds; 95 % intervals by bootstrap over users; of "
    "differences, user by user. An interval says nothing of how seeds differ: each seed's figure stands below."
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure with what qualifies it."""

    text: str
    small: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The first column is words."""

    title: str
    lead: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def write_rankings(results: RankingResults, folder: Path) -> None:
    """Replace both reports. OSError."""
    for name, made in zip(REPORTS, (markdown, page), strict=True):
        replace_file(folder / name, made(results).encode())


def tables(results: RankingResults) -> list[Table]:
    """In the order of the report."""
    found = [_statistics(results)]
    for data in dict.fromkeys(each.data for each in results.measured):
        of_data = [each for each in results.measured if each.data == data]
        found += [_figures(data, order, of_data) for order in ORDERS]
    if results.compared:
        found.append(_differences(results))
    if seeded := [each for each in results.measured if len(each.seeds) > 1]:
        found.append(_seeds(seeded))
    return found


def plain(table: Table) -> str:
    """For a terminal."""
    rows = [table.head, *([f"{cell.text} {cell.small}".strip() for cell in row] for row in table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def markdown(results: RankingResults) -> str:
    """report.md as a whole."""
    parts = [f"# What comes next: {inline(results.dataset)}", inline(_made(results)), PROTOCOL]
    for table in tables(results):
        rows = [[_markdown_cell(cell) for cell in row] for row in table.rows]
        lead = f"{inline(table.lead)}\n\n" if table.lead else ""
        parts.append(f"## {inline(table.title)}\n\n{lead}{grid([inline(each) for each in table.head], rows)}")
    parts.append("\n".join(("## Models and notes", "", *(f"- {inline(each)}" for each in _said(results)))))
    return "\n\n".join(parts) + "\n"


def page(results: RankingResults) -> str:
    """report.html as a whole; no script, nothing from a network."""
    title = f"What comes next: {results.dataset}"
    sections = "".join(_section(table) for table in tables(results))
    said = "".join(f"<li>{escaped(each)}</li>" for each in _said(results))
    return (
        f'{head(title)}<header><p class="eyebrow">HybridRAG evaluation</p><h1>{escaped(title)}</h1>'
        f'<p class="lead">{escaped(_made(results))}</p></header><main><p class="lead">{escaped(PROTOCOL)}</p>{sections}'
        f"<section><h2>Models and notes</h2><ul class=notes>{said}</ul></section></main></body></html>\n"
    )


def _made(results: RankingResults) -> str:
    return f"{results.created}, commit {short(results.commit)}, preset {results.preset}, file {results.digest[:12]}."


def _said(results: RankingResults) -> Sequence[str]:
    names = dict.fromkeys(each.model for each in results.measured)
    return [*(f"{name}: {RECOMMENDERS[name].says}" for name in names), *results.notes]


def _statistics(results: RankingResults) -> Table:
    rows = tuple((Cell(name), Cell(f"{value:,}")) for name, value in results.statistics.items())
    return Table("Data", "", ("", results.dataset), rows)


def _figures(data: str, order: str, of_data: Sequence[Measured]) -> Table:
    found: list[dict[str, Figure]] = [getattr(each, order) for each in of_data]
    best = {metric: max(figures[metric].mean for figures in found) for metric in METRICS}
    rows = tuple(
        (
            Cell(each.model),
            *(
                Cell(
                    f"{figures[metric].mean:.4f}",
                    f"({figures[metric].low:.4f} to {figures[metric].high:.4f})",
                    best=figures[metric].mean == best[metric],
                )
                for metric in METRICS
            ),
            Cell(f"{each.seconds:,.0f}"),
        )
        for each, figures in zip(of_data, found, strict=True)
    )
    lead = (
        "Items of the past are left out of the order." if order == "masked" else "All items are in the order."
    )
    return Table(f"{data}, {order}", lead, ("", *map(_title, METRICS), "seconds"), rows)


def _differences(results: RankingResults) -> Table:
    rows = tuple(
        (
            Cell(f"{each.second} less {each.first}"),
            Cell(_title(each.metric)),
            Cell(f"{each.difference:+.4f}", f"({each.low:+.4f} to {each.high:+.4f})"),
            Cell("" if not each.certain else "more" if each.difference > 0 else "less"),
        )
        for each in results.compared
    )
    lead = "Masked. 'more' and 'less' where the interval leaves out 0."
    return Table("Differences", lead, ("", "of", "difference", ""), rows)


def _seeds(seeded: Sequence[Measured]) -> Table:
    rows = tuple(
        (
            Cell(f"{each.model} on {each.data}"),
            Cell(str(seed)),
            *(Cell(f"{each.masked[m].by_seed[n]:.4f}") for m in METRICS),
        )
        for each in seeded
        for n, seed in enumerate(each.seeds)
    )
    return Table("Each seed", "Masked.", ("", "seed", *map(_title, METRICS)), rows)


def _title(metric: str) -> str:
    """'HR at 10': an '@' names somebody where reports are shown."""
    return metric.replace("@", " at ")


def _markdown_cell(cell: Cell) -> str:
    text = f"**{inline(cell.text)}**" if cell.best else inline(cell.text)
    return f"{text} {inline(cell.small)}".strip()


def _section(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escaped(each)}</th>' for each in table.head)
    rows = "".join(f"<tr>{''.join(map(_html_cell, row, range(len(row))))}</tr>" for row in table.rows)
    title = escaped(table.title)
    return (
        f'<section><h2>{title}</h2><p class="lead">{escaped(table.lead)}</p>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table class="small">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _html_cell(cell: Cell, column: int) -> str:
    text = f"<b>{escaped(cell.text)}</b>" + (f"<small>{escaped(cell.small)}</small>" if cell.small else "")
    if column == 0:
        return f'<th scope="row">{text}</th>'
    return f'<td class="best">{text}</td>' if cell.best else f"<td>{text}</td>"
