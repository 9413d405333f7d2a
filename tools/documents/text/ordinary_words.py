"""Ordinary English words, as data: words that are no name even when capitalised, and no misspelt name."""

from __future__ import annotations

# fmt: off
_FUNCTION = """
a about above according across actually after afterwards again against ago ahead all almost alone along
already also although always am among amount amounts an and another any anybody anyone anything anyway
anywhere apart are around as aside at away back be became because become been before began behind being
below beside besides best better between beyond both but by came can cannot come comes could currently
despite did do does doing done down due during each earlier either else elsewhere end ended ending ends
enough especially etc even ever every everybody everyone everything exactly except far few fewer first for
former forward from further generally get gets getting give given gives giving go goes going gone got had
has have having he hence her here hers herself him himself his hmm how however i if in indeed inside instead
into is it its itself just keep kept kind later latter least less let like likely little long look looking
looks made mainly make makes making many may maybe me mean means meant merely might mine more moreover most
mostly much must my myself near nearly need needs neither never nevertheless next no nobody none nor not
nothing now nowhere of off often ok okay on once one ones only onto or other others otherwise ought our ours
ourselves out outside over overall own part particular particularly per perhaps please plus possible
possibly previously prior probably put quite rather really recent recently regarding said same saw say
saying says second see seem seems seen several shall she should show showed showing shown shows since so
some somebody somehow someone something sometimes somewhat soon still such sure take taken takes taking tell
than thank thanks that the their theirs them themselves then there therefore these they thing things think
third this those though through throughout thus till to today together told tomorrow tonight too took top
toward towards tried try trying two three four five six seven eight nine ten twelve twice under unless
unlike until up upon us use used uses using usually various versus very via view want wants was way ways we
well went were what whatever when whenever where whereas whether which while who whole whom whose why will
with within without won would yes yesterday yet you your yours yourself wat pls plz hi hello hey dear kindly
thx mgmt
"""
_VERBS = """
accelerate accept accepted account accounted achieve achieved acquire acquired act add added address adjust
adjusted affect affected allow analyse analyze announce announced answer anticipate appear apply approach
approve approved argue arise ask asked assess assume attribute attributed average avoid base based begin
believe benefit bought break bring brought build building built buy buying calculate call called cancel
cause caused change changed changes characterise characterize choose claim close closed combine comment
compare compared compete complete completed complies comply compute concern concerned conclude conduct
confirm consider consist contain continue continued contract contrast contribute contributed control convert
cost costs count cover create cut deal decide decided decline declined decrease decreased define deliver
delivered depend derive describe described design determine develop developed differ differentiate disclose
disclosed discuss discussed distribute divide draw drew drive driven driving drop dropped drove earn earned
elaborate employ employed enable enter entered estimate estimated evaluate evolve exceed exceeded exclude
exist expand expect expected experience explain explained expose exposed express extend extract face faced
fail fall fell fallen fare feel file filed find finish fit fix follow force forecast form found fund gain
generate generated got grant grew grow growing grown guide guided happen happened head hear held help hire
hired hit hold hope identify impact implement imply improve improved include included includes increase
increased incur incurred indicate influence inform integrate intend interpret introduce invest invested
involve issue issued join joined justify keep know knew known launch launched lead leads leave led left lend
limit list listed live look lose lost lower lowered maintain manage managed mark match matter mature matures
measure meet mention mentioned merge met miss missed mitigate move name named note noted obtain occur offer
offered open operate order outline outperform owe own owned owns paid paint pay perform performed pick place
plan planned plans play point position positioned predict prefer prepare present prevent price priced
produce produced project promise propose protect provide provided pull purchase purchased pursue push
question raise raised ran range rank reach reached react read realize receive received recognise recognize
record recorded recover reduce reduced refer reflect relate release remain remained repay replace replaced
report reported repurchase repurchased request require required resolve respond rest result resulted retire
return returned reveal review rise rose risen run running runs sell selling sells sold search send separate
serve set settle settled shift ship shipped signed sit slow solve sound speak spend spending spent split
spoke stand start started state stated stay stop structure suffer suggest summarise summarize support
suspend suspended talk talked target terminate test thinks thought tie total track trade transfer treat turn
understand update value vary vest view wait walk warn warned watch weigh win wish wonder work worked works
worry worried write written wrote yield tabulate recap highlight enumerate quantify
"""
_NOUNS = """
ability access accounting accounts acquisition acquisitions action actions activity administration advantage
advantages advertising advice affairs age agency agent agents agreement agreements aim air allocation
allowance analysis analyst analysts angle answer answers applicable approach area areas argument arguments
article aspect asset assets assumption assumptions attention attitude auditor auditors authorization
authority award background backlog balance balances bank banking banks bar base basis bear bears bill
billing billion billions board body bond bonds bonus book bookings bottom boss brand brands breakdown brief
budget budgets bull bulls bullet bullets bus business businesses buyback buybacks buyer calendar calls
capability capacity capex capital car card cards care case cases cash categories category cause causes cell
center central certainty chain chair chairman chairwoman challenge challenges chance channel channels
chapter charge charges chart check chief child chip chips choice circumstances city claims class classes
client clients climate clinic closing cloud code colour color column comment commentary commerce commercial
commission commitment commitments committee commodity common communication community companies company
comparison compensation competition competitive competitor competitors component components computer
computing concentration concern concerns condition conditions conference confidence confident consequence
consequences consideration constraint constraints construction consumer consumers contact content context
contracts contribution control controls cooperation copy corporate corporation correct cost costing counsel
country countries coupon course court cover coverage credit critical cross culture currencies currency
current curve customer customers cyber cybersecurity cycle daily damage data date dates day days dealer
dealers death debt decade decision decisions defense deferred degree delay delays delivery demand department
deposit deposits depreciation derivative derivatives detail details development developments device devices
difference different difficult digital diluted direct direction director directors disclosure disclosures
discount discussion dispute distribution dividend dividends division document documents dollar dollars
domestic dose double downside draft driver drivers drop duration duty dynamics earnings easy economic
economics economy edge education effect effective effects efficiency effort efforts electric electricity
electronic element elements employee employees employment energy engine engineering enterprise entity
environment equipment equity error estate estimate estimates event events evidence evolution example
exchange exclusive executive executives exercise exhibit existing expansion expectation expectations
expenditure expenditures expense expenses expert explanation export exports exposure extent external
facilities facility fact factor factors facts fair family farm fashion favor fear feature features federal
fee fees field fields figure figures file filing filings film finance financial financials financing firm
firms fiscal fixed fleet flight floor flow flows focus food foot footprint foreign format formula foundry
fraud free friend fuel full function fundamental funds future gains game games gaming gap gas general gist
global goal goals gold good goods goodwill government grace grade graphic gross group groups growth guidance
guide half hand hard hardware harm headcount headline headquarters headwind headwinds health healthcare
heart heavy hedge hedges hedging help high higher highest highlight highlights hint history holder holders
holding holiday home hospital hot hour hours house housing human idea ideas image impacts impairment
implication implications important improvement improvements incentive incentives income increases
independent index indicator individual industrial industries industry inflation info information
infrastructure initiative initiatives innovation input insight insights instance institution instrument
instruments insurance intangible integration intellectual intelligent intelligence intent interest
interesting interests interim internal international internet interview inventories inventory investing
investment investments investor investors involvement issue issues item items job jobs joint judge judgment
key keys kid lab labor labour land landscape language large larger largest late latest law laws lawsuit
lawsuits lawyer layoff layoffs leader leaders leadership lease leases leasing legal lending length lesson
lessons letter level levels leverage liabilities liability license life light line lines link liquidity
litigation loan loans local location locations logic logistics loss losses lot lots low lowest machine macro
main major management manager managers manufacturing margin margins market marketing markets mass master
material materials matters maturity maximum meaning measures media medical medicare meeting member members
memory merger mergers message method methods metric metrics middle midpoint million millions mind minimum
minority minutes mission mix mobile mode model models modern moment momentum money month monthly months mood
morning motor movement multiple nation national natural nature negative net network networking networks new
news night noise nominal normal note notes notion number numbers object objective objectives obligation
obligations occupancy offering office officer officers official oil old online operating operation
operational operations opinion opinions opportunities opportunity option options orders organic organization
outcome outflow outlook output outstanding overhead overview owner owners ownership pace package packaging
page pages paper paragraph parent partner partners parties partnership partnerships party past patent
patents path patience pattern payable payment payments peer peers pending people percent percentage
performance period periods permit person personal personnel perspective phase philosophy phone physical
picture piece pipeline plant plants platform player players pleasure point points policies policy pool poor
popular population portfolio portion positive post potential power practice practices precise preferred
preliminary premium premiums prepared presence pressure pressures previous prices pricing primary prime
principal principle print priorities priority private problem problems procedure procedures process
processes product production productivity products profile profit profitability profitable profits program
programs progress projection projects promotion proof properties property proportion proposal proposition
prospect prospects protection provider provision provisions public purchases purpose qualitative quality
quantity quarter quarterly quarters questions quick quote rail rain rare rate rates ratio rationale raw
reaction real reality reason reasoning reasons receipt receivable receivables recession recognition
recommendation reconciliation record records recovery reduction reference region regional regions register
registrant regular regulation regulations regulator regulators regulatory relation relations relationship
relationships relative relevant reliance remark remarks remedy rent rental rents repair repayment reply
reporting reports representative repurchases reputation research reserve reserves residential resource
resources respect response responses responsibility restricted restructuring restriction restrictions
results retail retailer retailers retention revenue revenues reversal reward right rights ring risk risks
road robust role roles room rose round route row rule rules ruling rumor safe safety salaries salary sale
sales sample satisfaction saving savings scale schedule school science scope score season seasonality seat
section sector sectors securities security seek segment segments semiconductor senior sense sensitivity
sentence sentiment series serious service services session settlement severance share shareholder
shareholders shares sheet short shortage shortages side sign significance significant similar simple single
site sites situation size skill slide small software solid solution solutions source sources space special square
specific speech spend stability staff stage stake stance standard standards statement statements states
statistics status statutory steel step steps stock stockholder stockholders stocks storage store stores
stories story strategic strategies strategy stream street strength strengths strike strong stronger
structure study style subject subscriber subscribers subscription subscriptions subsidiaries subsidiary
substance success suit sum summary supplier suppliers supply surface surprise sustainability sustainable
system systems table tables tailwind tailwinds takeaway takeaways talent target targets tariff tariffs task
tax taxes team teams tech technologies technology telephone tenant tenants term terms territory text theme
themes theory thesis ticker tightness time times timing title tone tool topic topics total totals trading
traffic transaction transactions transcript transformation transition transport travel treasury treatment
trend trends trial true trust turnaround turnover type types uncertainties uncertainty unit units update
updates upside urban usage user users utilities utility utilization valuation values variable variance
variety vehicle vehicles vendor vendors venture ventures version vision volatility volume volumes wage wages
war warehouse warranty waste water weak weakness weather web website week weeks weight western whole
wholesale wide wind wins wire word words work worker workers workforce world worst worth writedown year
years yen young zero ample apply maple inter intern over rover lover diver doer dove doves river polar gray
graceful sempre honest narrative quantitative clarify spin comp comps seq annual annually vs eps rev revs op
opex sga rd fx fcf ytd yoy qoq pct mn bn mm usd approx est
"""
_PLACES = """
africa alaska america american americas arizona asia asian atlanta australia australian austria bakken
beijing belgium boise boston brazil britain british california canada canadian caribbean chicago chile china
chinese colorado dallas delaware denver dublin dutch emea england english euro europe european finland
florida france french georgia german germany greece hawaii holland hong houston idaho illinois india indian
indiana indonesia ireland irish israel israeli italian italy japan japanese kansas kong korea korean latam
latin london louisiana luxembourg malaysia mexican mexico michigan milwaukee minnesota missouri montana
montreal munich netherlands nevada norway ohio oklahoma oregon pacific paris pennsylvania philippines poland
portugal puerto rico russia russian san scotland seattle shanghai shenzhen singapore spain spanish sweden
swedish swiss switzerland taiwan tennessee texas thailand tokyo toronto turkey uk ukraine us usa utah
vietnam virginia wales washington wisconsin wyoming york zealand north south east west northern southern
eastern middle kingdom united states union greater
"""
_CALENDAR = """
january february march april may june july august september october november december jan feb mar apr jun
jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday spring summer autumn
fall winter christmas thanksgiving ramadan easter
"""
_ACRONYMS = """
ai api apac asc asp asps asu capex ceo ceos cfo cfos chips cio cogs coo covid cpi cpu cpus cro cso csr
cto cyber dei doj dso ebit ebitda ecb emea eps erp esg etf etr eu ev evs evp fasb fcc fcf fda fdic fed
ferc ffo ftc fx fy gaap gdp gpu gpus hr iot ip ipo ir irs it ira itc lan lifo fifo llm m&a md&a mda ml noi
nim nol oci oem oems opec opex otc p&l ppa pc pcs pfas pp&e ppe q&a q1 q2 q3 q4 r&d rev rd reit reits roa
roe roi roic rou rpo rsu rsus s&p saas sbc sec sg&a sga svp tam tv uk un us usd uscis vie vp vat wacc wfh
wto yoy ytd qoq dio dpo kpi kpis nasdaq nyse n.a. fyi asap h1 h2
"""
_FIRST_NAMES = """
aaron adam alan albert alex alexander alice allen amanda amy andrea andrew andy angela ann anna anne anthony
arthur ben benjamin bernard beth betty bill bob brad brandon brenda brent brian bruce bryan carl carla carol
caroline catherine charles charlie chris christa christian christina christine christopher chuck cindy
claire clark colin craig cynthia dan daniel dave david dean deborah debra dennis diana diane don donald
donna doug douglas ed edward elaine elizabeth ellen elon emily emma eric erica erik eugene evan evelyn frank
fred frederick gary gene geoffrey george gerald glenn gordon grace greg gregory hannah harold harry heather
helen henry howard hugh ian irene jack jacob james jamie jan jane janet jared jason jay jean jeff jeffrey
jennifer jensen jeremy jerry jessica jill jim joan joe joel john jon jonathan jordan joseph josh joshua juan
judith judy julia julie justin karen karl kate katherine kathleen kathy keith kelly ken kenneth kevin kim
kimberly kris kyle larry laura lauren laurie lee leo leslie lewis linda lisa lori louis lucy luke lynn marc
marcus margaret maria marie marilyn mario marissa marjorie mark martha martin marvin mary matt matthew
maureen max megan melissa michael michele michelle mike miles mitchell molly nancy natalie nathan neil
nicholas nick nicole nigel nina noah norman oliver pamela pat patricia patrick paul paula peter phil philip
phillip rachel ralph randall randy ray raymond rebecca rich richard rick rob robert robin rodney roger ron
ronald rose ross roy russell ruth ryan sally sam samantha samuel sandra sarah satya scott sean sharon shawn
shirley simon stacy stanley stephanie stephen steve steven stuart sue susan sundar suzanne sylvia tara ted
teresa terrence terry theodore theresa thomas tim timothy tina todd tom tony tracy travis tyler valerie
vanessa victor victoria vincent virginia walter warren wayne wendy william zachary
""".replace("rose", "")
# fmt: on

PLACES: frozenset[str] = frozenset(_PLACES.split())
"""Words of place names and nationalities, lower case."""
FIRST_NAMES: frozenset[str] = frozenset(_FIRST_NAMES.split())
"""Given names, lower case: a capitalised span that begins with one is a person."""
ACRONYMS: frozenset[str] = frozenset(_ACRONYMS.split())
"""Abbreviations of finance and business that are no tickers, lower case."""
ORDINARY: frozenset[str] = frozenset(" ".join((_FUNCTION, _VERBS, _NOUNS, _CALENDAR)).split()) | {
    f"{letter}" for letter in "bcdefghjklmnopqrstuvwxyz"
}
"""Words of everyday and of business English, lower case."""
FUNCTION_WORDS: frozenset[str] = frozenset(_FUNCTION.split())
"""Grammar words and the commonest verbs."""
