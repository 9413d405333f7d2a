"""What people ask of any company, and what answers it: relations of its cover page, its reports and its officers, or
figures of its statements."""

from __future__ import annotations

from collections.abc import Mapping

PROFILE_TITLE = "Company profile"
"""`Triplet.title` of these relations."""
INCORPORATED_IN = "is incorporated in"
HAS_NUMBER = "has the employer identification number"
HEADQUARTERS_AT = "has its headquarters at the address"
TELEPHONE = "has the telephone number"
LISTED_AS = "is listed on a stock exchange under the ticker symbol"
WORTH = "has an aggregate market value held by non-affiliates of"
YEAR_ENDED = "ended its fiscal year on"
AUDITED_BY = "is audited by"
EMPLOYS = "employs"
DESCRIBES = "describes its business"
NAMES_RISK = "names as a risk"

RELATION_OF: Mapping[str, str] = {
    "incorporation": INCORPORATED_IN,
    "headquarters": HEADQUARTERS_AT,
    "telephone": TELEPHONE,
    "listing": LISTED_AS,
    "market_value": WORTH,
    "fiscal_year_end": YEAR_ENDED,
    "auditor": AUDITED_BY,
    "employees": EMPLOYS,
    "business": DESCRIBES,
    "main_risks": NAMES_RISK,
}
"""Kind of question, as `tools.ranking.profile_kinds` tells it -> the relation."""
ROLES_OF: Mapping[str, tuple[str, ...]] = {
    "chief_executive": ("chief executive officer",),
    "finance_chief": ("chief financial officer",),
    "accounting_chief": ("chief accounting officer",),
    "operations_chief": ("chief operating officer",),
    "top_lawyer": ("general counsel",),
    "board_chair": ("chair",),
    "board_members": ("director", "chair"),
}
"""Likewise the roles of whom it asks for."""
SIGNERS = "signers"
"""The kind that asks who signed a report."""
ACQUISITIONS = "acquisitions"
"""The kind that asks which companies it has bought."""
PLAIN_WORDS: Mapping[str, str] = {
    "results": "How did {} do?",
    "total_debt": "What was the total debt of {}?",
}
"""Kinds that figures answer -> the plainest words for them, with place for the company's name."""
OPEN = ("legal_matters",)
"""Kinds that are told apart from the others and searched for among passages as any other question."""
KINDS = (*RELATION_OF, *ROLES_OF, SIGNERS, ACQUISITIONS, *PLAIN_WORDS, *OPEN)
