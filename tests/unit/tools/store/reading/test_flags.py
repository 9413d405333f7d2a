"""What the user said about a file holds until it is said otherwise or forgotten."""

from __future__ import annotations

from datetime import date

import pytest

from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides
from tools.store.reading.flags import flags_of, overrides_from_json, overrides_to_json, said_now, to_keep

OLD = Overrides(company="Orla Inc.", year=2023)


@pytest.mark.parametrize(
    ("given", "forget", "holds"),
    [
        (NO_OVERRIDES, False, OLD),
        (Overrides(year=2024, quarter=2), False, Overrides(company="Orla Inc.", year=2024, quarter=2)),
        (
            Overrides(period_end=date(2024, 3, 30)),
            False,
            Overrides(company="Orla Inc.", year=2023, period_end=date(2024, 3, 30)),
        ),
        (NO_OVERRIDES, True, NO_OVERRIDES),
        (Overrides(ticker="ORL"), True, Overrides(ticker="ORL")),
    ],
)
def test_a_flag_holds_until_it_is_given_again_or_forgotten(
    given: Overrides, forget: bool, holds: Overrides
) -> None:
    now = said_now(overrides_to_json(given), overrides_to_json(OLD), forget=forget)
    assert now == overrides_to_json(holds)


def test_what_was_said_comes_back_and_nothing_said_is_kept_as_nothing() -> None:
    said = overrides_to_json(Overrides(company="Orla", period_end=date(2024, 3, 30)))
    assert overrides_from_json(said) == Overrides(company="Orla", period_end=date(2024, 3, 30))
    assert (to_keep(said), to_keep(overrides_to_json(NO_OVERRIDES))) == (said, "")
    assert overrides_from_json("") == NO_OVERRIDES
    assert flags_of(said) == {"company": "Orla", "period_end": "2024-03-30"}
    assert said_now(said, "", forget=False) == said
