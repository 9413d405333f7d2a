"""How relations are called that a cover page states; questions are compared with these words."""

from __future__ import annotations

COVER_TITLE = "Cover page"
"""`Triplet.title` of what is read from one."""
INCORPORATED_IN = "is incorporated in"
HAS_NUMBER = "has the employer identification number"
HEADQUARTERS_AT = "has its headquarters at the address"
TELEPHONE = "has the telephone number"
LISTED_AS = "is listed on a stock exchange under the ticker symbol"
WORTH = "has an aggregate market value held by non-affiliates of"
YEAR_ENDED = "ended its fiscal year on"
