"""How well a title is the role that is asked for, as lists of officers print titles."""

from __future__ import annotations

import pytest

from tools.knowledge.search.roles import COMPANY_TITLE_SCORE, role_held, title_words

CHIEF = title_words("chief executive officer")


@pytest.mark.parametrize(
    "title",
    [
        "Chairman of the Board of Directors, Chief Executive Officer",
        "Chairman of the Board of Directors and Chief Executive Officer (Principal Executive Officer)",
        "Director and Chief Executive Officer of Acme, Inc. (Principal Executive Officer)",
    ],
)
def test_a_board_and_the_company_itself_are_no_part_of_it(title: str) -> None:
    held = role_held(CHIEF, title, "Who runs Acme?", ["acme"])
    assert held.score == COMPANY_TITLE_SCORE and not held.part


def test_who_leads_a_part_is_told_from_who_leads_the_whole() -> None:
    assert role_held(CHIEF, "Chief Executive Officer of Acme Japan", "Who runs Acme?", ["acme"]).part


@pytest.mark.parametrize("role", ["accounting", "risk", "compliance"])
def test_an_office_of_several_is_each_of_them(role: str) -> None:
    title = "Senior Vice President and Chief Accounting, Risk, and Compliance Officer"
    asked = title_words(f"chief {role} officer")
    assert role_held(asked, title, "Who keeps the books?", ["acme"]).score == COMPANY_TITLE_SCORE
    assert role_held(title_words("chief financial officer"), title, "Who?", ["acme"]).score == 0
