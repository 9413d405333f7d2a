"""A reading changed by what is known besides: what a plan says, what the guide tells, what must not refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from graphs.contracts import Plan, Reading
from graphs.engine import Engine
from graphs.steps.filters import scope_of_call
from tools.documents.metadata.catalog import Catalog
from tools.model_files import ModelFileError
from tools.scope import Scope


def as_planned(reading: Reading, made: Plan, catalog: Catalog, user_scope: Scope) -> Reading:
    """The reading with what a plan's calls say of companies and periods in place of what was read: what was thought
    unknown or off the topic was a hint to whoever planned. The user's types and documents stay."""
    if not made.calls:
        return reading.model_copy(update={"form": made.form, "of_sum": made.of_sum})
    scopes = [scope_of_call(catalog, each.companies, each.periods, (), Scope()) for each in made.calls]
    companies = tuple(dict.fromkeys(key for scope in scopes for key in scope.companies))
    same = set(companies) == set(reading.companies)
    periods = tuple(dict.fromkeys(each for scope in scopes for each in scope.periods))
    if not all(scope.periods for scope in scopes):
        periods = reading.scope.periods if same else ()
    changed: dict[str, Any] = {
        "form": made.form,
        "scope": replace(user_scope, companies=companies, periods=periods),
        "companies": companies,
        "company_names": reading.company_names if same else tuple(map(catalog.name, companies)),
        **dict.fromkeys(
            ("unknown_companies", "nearest_companies", "unknown_periods", "parts", "missing"), ()
        ),
        "out_of_scope": "",
    }
    return reading.model_copy(update=changed)


def unrefused(reading: Reading) -> Reading:
    """The reading without what would keep a question from being looked up and drafted."""
    return reading.model_copy(
        update={"out_of_scope": "", "unknown_companies": (), "nearest_companies": (), "unknown_periods": ()}
    )


def with_told(
    reading: Reading,
    catalog: Catalog,
    engine: Engine,
    sources: Sequence[str] | None = None,
    said: Sequence[tuple[str, str]] = (),
) -> tuple[Reading, str]:
    """The reading of a question about the assistant, its index, what was `said` or the last answer, which cites
    `sources`, with what answers it, of one off the topic with the reason, or of one that asks what people ask of any
    company; and why that could not be told, '' where it could."""
    if engine.guide is None or reading.out_of_scope:
        return reading, ""
    try:
        if profile := engine.guide.profile(reading, catalog):
            return reading.model_copy(update={"profile": profile}), ""
        told = engine.guide.tell(reading, catalog, sources, said)
        reason = "" if told or reading.spoken else engine.guide.off_topic(reading, catalog)
        doubtful = bool(reason) or engine.reader.described(reading, catalog) is not None
        of_companies = engine.guide.of_companies(reading, told=bool(told), doubtful=doubtful)
        if of_companies and engine.ranker is not None and not reading.asks_who_asked:
            return reading.model_copy(update={"of_companies": of_companies}), ""
        otherwise = "" if told or reason else engine.guide.otherwise(reading, catalog)
    except ModelFileError as error:
        return reading, f"not told whether it is about the index or the last answer: {error}"
    found = {"told": told, "told_otherwise": otherwise, "out_of_scope": reason}
    return reading.model_copy(update=found), ""


def with_profile(reading: Reading, catalog: Catalog, engine: Engine) -> Reading:
    """The reading of a question with what it asks of any company; as it is where that can't be told."""
    with suppress(ModelFileError):  # told before, where the question was first read
        if engine.guide is not None:
            return reading.model_copy(update={"profile": engine.guide.profile(reading, catalog)})
    return reading
