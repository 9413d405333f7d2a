"""Words that show what a question is about, and in which language, as data."""

from __future__ import annotations

_GERMAN = """
der die das und ist nicht war wie wurde welche welcher wer wo von für mit ein eine im des den auf hoch
"""
_FRENCH = """
le les des est et une dans pour quel quelle quels quelles était pourquoi comment combien du au sur avec
"""
_SPANISH = """
el los las es y una para cuál cuáles qué por fue cómo cuánto cuánta ingresos del en con cuales que
"""
_ITALIAN = """
il lo gli è e una per quale quali qual perché come quanto di della del nel sono con stato
"""
_PORTUGUESE = """
o os as é e uma para qual quais por foi como quanto da do em com não receita
"""
_DUTCH = """
de het een en is niet wat was hoe welke wie waar van voor met op zijn hoeveel
"""
FOREIGN_WORDS = {
    "German": frozenset(_GERMAN.split()),
    "French": frozenset(_FRENCH.split()),
    "Spanish": frozenset(_SPANISH.split()),
    "Italian": frozenset(_ITALIAN.split()),
    "Portuguese": frozenset(_PORTUGUESE.split()),
    "Dutch": frozenset(_DUTCH.split()),
}
"""Language -> its commonest small words."""

_ENGLISH = """
what which who when where why how the of and is was were did does do for to from with by or are be their
its tell give show list compare summarize summarise explain describe
"""
ENGLISH_MARKS = frozenset(_ENGLISH.split())
"""Words that mark a question as English."""

_EMPTY_TEXT = """
a an the of and or but if in on at to for by with from as so nor yet
"""
EMPTY_WORDS = frozenset(_EMPTY_TEXT.split())
"""Words that alone ask nothing."""

_DOMAIN = """
account accounting acquisition acquire acquired agreement amortization analyst analysts annual asset
auditor audit backlog balance bank bankruptcy billing board bond bonds bookings borrow brand budget
business buyback buybacks call capacity capital capex carbon cash ceo cfo chair chairman chief chip
chips churn claims climate cloud commodity company companies competition competitive competitor
competitors compensation compliance concentration contract contracts coo cost costs counsel covenant
credit currency customer customers cyber cybersecurity data dealer debt decline deferred defense demand
deposit depreciation derivative development dilution director directors disclosure disclosures discount
distribution divest dividend dividends division document documents driver drivers drove earn earnings
ebitda economic economy employee employees employment energy enterprise eps equity esg estimate exchange
executive executives expansion expect expectations expenditure expense expenses export exposure facility
fee fees figures filing filings finance financial financing fiscal forecast foreign foundry franchise
fraud freight fund funding futures fx gaap gain gains gross growth guidance headcount headwind headwinds
hedge hedging highlights hire hiring impairment import income inflation infrastructure initiative
insurance intangible integration interest inventories inventory invest investment investments investor
investors ipo issuer items labor labour launch law lawsuit lawsuits layoff layoffs leadership lease
leases legal lending leverage liabilities liability license licensing liquidity litigation loan loans
loss losses macro management manufacturing margin margins market marketing markets mature maturity md&a
medicare merger metrics mix mortgage net note notes numbers obligation occupancy offering officer online
operating operation operational operations opex orders outlook overhead ownership partnership patent
patents payable pension performance plan plans plant policy policyholders portfolio premium premiums
price prices pricing product production productivity products profit profitable profitability property
provision purchase q&a quarter quarterly quarters r&d rate rates ratings receivable receivables
recession recovery regulation regulations regulatory reit rent rents repurchase repurchases research
reserve reserves restructuring result results retail retention return revenue revenues rev risk risks
royalties salary sale sales savings sec securities security segment segments semiconductor sentiment
services settlement share shareholder shareholders shares shipment shipments shortage shortages shrink
spending staff stock stockholders stocks store stores strategic strategies strategy subscriber
subscription subsidiaries subsidiary supplier suppliers supply sustainability tailwind takeaways tariff
tariffs tax taxes tenant tenants ticker transaction transcript treasury trend trends turnover
underwriting unit units utilization valuation vendor volume volumes wage wages warehouse warranty
workforce write-down writedown yield yoy ytd
"""
DOMAIN = frozenset(_DOMAIN.split())
"""Words that make a question one about companies and their documents."""
