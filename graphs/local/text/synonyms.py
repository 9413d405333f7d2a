"""Words of finance that say nearly the same: a sentence with one of a group answers a question with another.

For ranking alone. What a draft may say is checked without them.
"""

from __future__ import annotations

from functools import lru_cache

from graphs.drafts.words import content

_GROUPS = """
revenue sales turnover topline
cost costs expense expenses spend spending expenditure expenditures capex outlay investments investment
profit profits profitable profitability income earnings earn earned earns loss losses bottom-line
margin margins
decrease decreased decline declined fall fell fallen drop dropped lower lowered reduce reduced reduction down
decrease shrink shrank weak weaker weakness soft softer softness softening slow slower slowdown hurt drag contract
increase increased grow grew grown growth rise rose risen higher up improve improved improvement gain soar soared
increase surge jump climb strong stronger strength expand expansion accelerate accelerated swing raise raised
demand orders order bookings booking backlog
employee employees headcount staff staffing workforce payroll personnel compensation labor hiring wages
buyback buybacks repurchase repurchases repurchased
acquisition acquisitions acquire merger mergers m&a deal deals combination transaction transactions buy bolt-on
terminate terminated termination end ended cancel abandon untenable
supply supplies shortage shortages supplier suppliers sourcing component components
capacity constraint constraints constrained bottleneck
challenge challenges problem problems issue issues disruption disruptions difficulty difficulties trouble
competition competitor competitors competitive compete competes rival rivals
regulation regulations regulatory regulator rule rules licensing license export controls restriction restrictions
produce production manufacturing manufacture manufactured assembly factory factories plant plants
inflation inflationary
price prices pricing priced
customer customers client clients
shop shops store stores retail
hike hikes
tariff tariffs duties
covid pandemic coronavirus covid-19 virus variant lockdown lockdowns
dividend dividends payout
debt leverage borrowing borrowings
dependence depend depends dependent rely relies reliance reliant
abroad foreign overseas international
currency currencies exchange fx
expect expects expected outlook guidance guide forecast anticipate anticipated prospects
holiday holidays seasonal seasonality christmas
success successful succeed working works
factor reason because
risk risks threat threats danger uncertainty uncertainties
artificial-intelligence ai
"""


def _read(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        first, *others = line.split()
        for word in (first, *others):
            for stemmed in content(word)[:1]:
                found.setdefault(stemmed, content(first)[0])
    return found


_GROUP_OF = _read(_GROUPS)


@lru_cache(maxsize=65536)
def concept(stemmed: str) -> str:
    """The stem that stands for the group of `stemmed`, itself without one."""
    return _GROUP_OF.get(stemmed, stemmed)


@lru_cache(maxsize=16384)
def concepts(text: str) -> frozenset[str]:
    """The content stems of `text`, each as its group's."""
    return frozenset(concept(word) for word in content(text))
