"""Indexing as the settings want it: which endpoints are asked, and what is said of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from agent.settings import Settings, SettingsError

if TYPE_CHECKING:
    from agent.endpoint.limits import Shares
    from tools.store.reading.model_broker import Models, Spent
    from tools.store.reading.report import IndexReport
    from tools.store.runs.estimate import Estimate

Extractor = Literal["local", "model"]
MAX_NAMED_DOCUMENTS = 10
"""Documents named in a line."""


def make_models(
    settings: Settings,
    extractor: Extractor | None = None,
    max_tokens: int | None = None,
    shares: Shares | None = None,
) -> Models:
    """The endpoints of an indexing run; nothing is sent yet. `extractor` overrides the settings' choice,
    `max_tokens` is the run's budget, `shares`: see `limits_of`. SettingsError."""
    from tools.store.reading.model_broker import Models

    if extractor == "model" and settings.chat_endpoint is None:
        raise SettingsError(
            "--extractor model needs a model endpoint: set HYBRIDRAG_LLM_BASE_URL and HYBRIDRAG_LLM_MODEL, or a key, "
            "and an engine other than local."
        )
    wanted = settings.extracts_with_model if extractor is None else extractor == "model"
    chat = embedder = None
    if wanted:
        from agent.endpoint.models import chat_model

        chat = chat_model(settings, shares=shares)
    if settings.embed_endpoint is not None:
        from agent.endpoint.models import endpoint_embeddings

        embedder = endpoint_embeddings(settings, shares=shares)
    given, taken = settings.price_input, settings.price_output
    return Models(
        chat=chat,
        embedder=embedder,
        reply_tokens=max(settings.llm_max_tokens, 1024),
        passes=settings.extract_passes,
        at_once=settings.llm_concurrency,
        max_tokens=max_tokens,
        prices=None if given is None or taken is None else (given, taken),
    )


def model_record(report: IndexReport) -> dict[str, Any]:
    """What a run did with model endpoints, for --json."""
    return {
        "extractor": report.extractor,
        "usage": _usage(report.spent),
        "tally": report.tally,
        "without_triplets": list(report.without_triplets),
        "without_relations": list(report.without_relations),
        "incomplete": [o.file for o in report.outcomes if o.state == "incomplete"],
        "stopped": report.stopped or None,
    }


def model_lines(report: IndexReport) -> list[str]:
    """The same in words; nothing where there is nothing to say."""
    lines = [f"incomplete: {o.file} ({o.reason})" for o in report.outcomes if o.state == "incomplete"]
    if report.without_triplets:
        lines.append(f"No triplet at all from: {_listed(report.without_triplets)}")
    if report.without_relations:
        lines.append(
            f"'{report.extractor}' yielded no relation that could be kept from: {_listed(report.without_relations)}"
        )
    tally = report.tally
    if tally.get("windows"):
        told = [
            f"{_many(tally['windows'], 'chunk')} read by '{report.extractor}'",
            f"{_many(tally.get('kept', 0), 'triplet')} kept",
        ]
        told += [
            f"{_many(sum(found.values()), thing)} ({_counts(found)})"
            for thing, found in _kinds(tally)
            if found
        ]
        lines.append("; ".join(told))
    if report.spent.calls or report.spent.cached:
        lines.append(spent_words(report.spent))
    return lines


def _kinds(tally: dict[str, int]) -> list[tuple[str, dict[str, int]]]:
    dropped = {key.removeprefix("dropped: "): n for key, n in tally.items() if key.startswith("dropped: ")}
    fallen = {key.removeprefix("fallback: "): n for key, n in tally.items() if key.startswith("fallback: ")}
    gone = {key.removeprefix("left out: "): n for key, n in tally.items() if key.startswith("left out: ")}
    return [
        ("dropped triplet", dropped),
        ("detail left out", gone),
        ("chunk left to the local rules", fallen),
    ]


def _counts(found: dict[str, int]) -> str:
    return ", ".join(
        f"{count} {why}" for why, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    )


def spent_words(spent: Spent) -> str:
    """Calls, tokens and cost of a run."""
    kept = f" ({spent.cached:,} more answered from earlier replies, free)" if spent.cached else ""
    cost = f", {spent.cost:.4f} USD" if spent.cost is not None else ""
    return (
        f"{_many(spent.calls, 'model call')}{kept}; {spent.tokens:,} tokens "
        f"({spent.input_tokens:,} in, {spent.output_tokens:,} out){cost}"
    )


def estimate_record(estimate: Estimate) -> dict[str, Any]:
    """A dry run, for --json."""
    return {
        "dry_run": True,
        "extractor": estimate.extractor or "local",
        "files": estimate.files,
        "unchanged": estimate.unchanged,
        "usage": _usage(estimate.spent),
        "failures": [{"file": file, "reason": reason} for file, reason in estimate.failures],
        "gone": list(estimate.gone),
    }


def estimate_lines(estimate: Estimate) -> list[str]:
    """A dry run in words."""
    lines = [f"failed: {file} ({reason})" for file, reason in estimate.failures]
    lines += [f"gone: {file}" for file in estimate.gone]
    return [
        *lines,
        f"A run would read {_many(estimate.files, 'file')} ({estimate.unchanged:,} unchanged); prose is read by "
        + (f"'{estimate.extractor}'." if estimate.extractor else "the local rules: no model call."),
        f"About {spent_words(estimate.spent)}. Nothing was changed.",
    ]


def _usage(spent: Spent) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "cached_calls": spent.cached,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cost": spent.cost,
    }


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MAX_NAMED_DOCUMENTS} more" if len(names) > MAX_NAMED_DOCUMENTS else ""
    return ", ".join(names[:MAX_NAMED_DOCUMENTS]) + more


def _many(count: int, thing: str) -> str:
    head, _, rest = thing.partition(" ")
    if rest.startswith("left "):
        return f"{count:,} {head if count == 1 else head + 's'} {rest}"
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
