"""The slash commands of a chat."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from rich.text import Text

from agent.assistant import PIPELINES
from agent.chat import views
from agent.chat.conversation import Conversation
from agent.chat.export import export
from agent.errors import UsageError
from graphs.contracts import Answer

_SLASH = re.compile(r"/([A-Za-z]*)(?:\s+(.*))?", re.DOTALL)
_PERIOD = re.compile(
    r"(?:Q?(?P<before>[1-4])\s+)?(?P<year>(?:19|20)\d\d)(?:\s*,?\s*Q?(?P<after>[1-4]))?", re.I
)
COMPANIES_SHOWN = 20


def parse(text: str) -> tuple[str, str] | None:
    """Name and argument of a slash command: a slash, letters alone, then a blank or the end. None for a question,
    which may begin with a path ('/etc/hosts ...') or, where it looks like a command, with two slashes."""
    found = _SLASH.fullmatch(text)
    return (found[1].lower() or "help", (found[2] or "").strip()) if found else None


def question_of(text: str) -> str:
    """A line without the slash that keeps it from being a command."""
    return text[1:] if text.startswith("//") else text


def run(chat: Conversation, name: str, argument: str) -> None:
    """Do what a slash command says. Raises UsageError, and what its action raises."""
    slash = NAMED.get(name)
    if slash is None:
        near = get_close_matches(name, NAMED, n=3, cutoff=0.5)
        meant = f" Did you mean {' or '.join(f'/{other}' for other in near)}?" if near else ""
        raise UsageError(
            f"No command '/{name}'.{meant} /help lists them; two slashes ('//{name} ...') ask it as a question."
        )
    slash.run(chat, argument)


def _help(chat: Conversation, argument: str) -> None:
    chat.say(*views.helped([(slash.usage, slash.does) for slash in SLASHES]))
    chat.say(
        views.dim(
            "Anything else is a question. One that begins like a command is asked with two slashes: //help ..."
        )
    )


def _last(chat: Conversation) -> Answer:
    turn = chat.session.last()
    if turn is None:
        raise UsageError("This thread has no answer yet: ask a question first.")
    return turn.answer


def _sources(chat: Conversation, argument: str) -> None:
    chat.say(*views.sources(_last(chat)))


def _route(chat: Conversation, argument: str) -> None:
    chat.say(*views.route(_last(chat)))


def _why(chat: Conversation, argument: str) -> None:
    chat.say(*views.why(_last(chat)))


def _is_off(chat: Conversation, argument: str, said: str, **unpinned: None) -> bool:
    """Whether a filter is to be let go, which is then done."""
    if argument.lower() != "off":
        return False
    chat.filters = replace(chat.filters, **unpinned)
    chat.say(Text(said))
    return True


def _company(chat: Conversation, argument: str) -> None:
    if _is_off(chat, argument, "All companies.", company=None):
        return
    catalog = chat.assistant.current().catalog
    if not argument:
        names = [f"{known.name} ({known.key})" for known in catalog.companies.values()]
        more = f" and {len(names) - COMPANIES_SHOWN} more" if len(names) > COMPANIES_SHOWN else ""
        pinned = catalog.name(chat.filters.company) if chat.filters.company else "none"
        chat.say(Text(f"Pinned: {pinned}. Indexed: {', '.join(names[:COMPANIES_SHOWN])}{more}."))
        return
    (key,) = replace(chat.filters, company=argument).scope(catalog).companies
    chat.filters = replace(chat.filters, company=key)
    chat.say(Text(f"Only {catalog.name(key)}, until /company off."))


def _period(chat: Conversation, argument: str) -> None:
    if _is_off(chat, argument, "All periods.", year=None, quarter=None):
        return
    if not argument:
        chat.say(
            Text(
                f"Pinned: {period_words(chat) or 'none'}. Write /period 2023, /period 2023 Q3 or /period off."
            )
        )
        return
    found = _PERIOD.fullmatch(argument)
    if found is None or (found["before"] and found["after"]):
        raise UsageError(f"'{argument}' is not a period. Write /period 2023, /period 2023 Q3 or /period off.")
    quarter = found["before"] or found["after"]
    pinned = replace(chat.filters, year=int(found["year"]), quarter=int(quarter) if quarter else None)
    catalog = chat.assistant.current().catalog
    scope = pinned.scope(catalog)
    chat.filters = pinned
    chat.say(Text(f"Only {period_words(chat)}, until /period off."))
    documents = (
        period for key in scope.companies or catalog.companies for period in catalog.document_periods(key)
    )
    if not any(scope.periods[0].admits(period) for period in documents):
        chat.say(views.dim("No document of that period is indexed; another one's tables may still show it."))


def period_words(chat: Conversation) -> str:
    """The pinned period: '2023 Q3', '2023' or ''."""
    year, quarter = chat.filters.year, chat.filters.quarter
    return " ".join([*([str(year)] if year else []), *([f"Q{quarter}"] if quarter else [])])


def _type(chat: Conversation, argument: str) -> None:
    if _is_off(chat, argument, "All types of documents.", doc_type=None):
        return
    catalog = chat.assistant.current().catalog
    if not argument:
        there = sorted({kind for known in catalog.companies.values() for kind in known.doc_types})
        chat.say(Text(f"Pinned: {chat.filters.doc_type or 'none'}. Indexed: {', '.join(there)}."))
        return
    (kind,) = replace(chat.filters, doc_type=argument).scope(catalog).doc_types
    chat.filters = replace(chat.filters, doc_type=kind)
    chat.say(Text(f"Only documents of the type {kind}, until /type off."))


def _document(chat: Conversation, argument: str) -> None:
    if _is_off(chat, argument, "All documents.", document=None):
        return
    if not argument:
        chat.say(Text(f"Pinned: {chat.filters.document or 'none'}. Write /document NAME or /document off."))
    else:
        pinned = replace(chat.filters, document=argument)
        pinned.scope(chat.assistant.current().catalog)
        chat.filters = pinned
        chat.say(Text(f"Only {argument}, until /document off."))


def _pipeline(chat: Conversation, argument: str) -> None:
    if argument and argument not in PIPELINES:
        raise UsageError(f"No pipeline '{argument}'. There are: {', '.join(PIPELINES)}.")
    chat.pipeline = argument or chat.pipeline
    chat.say(Text(f"Pipeline: {chat.pipeline}."))


def _threads(chat: Conversation, argument: str) -> None:
    chat.say(*views.threads(chat.sessions.threads(), chat.session.thread.id))


def _thread(chat: Conversation, argument: str) -> None:
    if not argument:
        chat.say(Text(f"Thread {chat.session.thread.name}."))
        return
    names = [thread.name for thread in chat.sessions.threads()]
    if argument not in names:
        near = get_close_matches(argument, names, n=3, cutoff=0.5)
        meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise UsageError(f"No thread '{argument}'.{meant} /threads lists them, /new {argument} makes it.")
    chat.enter(argument)


def _new(chat: Conversation, argument: str) -> None:
    if argument and argument in [thread.name for thread in chat.sessions.threads()]:
        raise UsageError(f"There is a thread '{argument}' already: /thread {argument} goes there.")
    chat.enter(argument or None)


def _rename(chat: Conversation, argument: str) -> None:
    if not argument:
        raise UsageError("Write /rename NAME.")
    chat.sessions.rename(chat.session.thread.name, argument)
    chat.say(Text(f"This thread is now called {chat.session.thread.name}."))


def _delete(chat: Conversation, argument: str) -> None:
    own = chat.session.thread
    thread = next((t for t in chat.sessions.threads() if t.name == argument), None) if argument else own
    if thread is None:
        raise UsageError(f"No thread '{argument}'. /threads lists them.")
    turns = f"{thread.turns} turn{'' if thread.turns == 1 else 's'}"
    if not chat.lines.confirm(f"Delete the thread '{thread.name}' ({turns}) for good?"):
        chat.say(Text("Kept."))
        return
    chat.sessions.delete(thread.name)
    chat.say(Text(f"Deleted '{thread.name}'."))
    if thread.id == own.id:
        chat.enter(None)


def _export(chat: Conversation, argument: str) -> None:
    if not argument:
        raise UsageError("Write /export FILE.md or /export FILE.json.")
    thread, turns = chat.session.thread, chat.session.turns()
    path = export(thread, turns, argument)
    chat.say(Text(f"Wrote {len(turns)} question{'' if len(turns) == 1 else 's'} with answers to '{path}'."))


def _quit(chat: Conversation, argument: str) -> None:
    chat.left = True


@dataclass(frozen=True, slots=True)
class Slash:
    """One slash command."""

    usage: str
    does: str
    run: Callable[[Conversation, str], None]

    @property
    def name(self) -> str:
        """Without the slash."""
        return self.usage.split()[0].removeprefix("/")


SLASHES = (
    Slash("/help", "this list", _help),
    Slash("/sources", "the last answer's evidence, page by page", _sources),
    Slash("/route", "how the last question was routed, and why", _route),
    Slash("/why", "the last answer's statements and their support; what was left out", _why),
    Slash("/company NAME|off", "only this company", _company),
    Slash("/period YEAR [Q]|off", "only this year or quarter", _period),
    Slash("/type NAME|off", "only documents of this type: 10-K, call", _type),
    Slash("/document NAME|off", "only this document", _document),
    Slash("/pipeline NAME", f"who answers: {', '.join(PIPELINES)}", _pipeline),
    Slash("/threads", "all threads", _threads),
    Slash("/thread NAME", "go to another thread", _thread),
    Slash("/new [NAME]", "begin a new thread", _new),
    Slash("/rename NAME", "give this thread another name", _rename),
    Slash("/delete [NAME]", "delete a thread, or this one", _delete),
    Slash("/export FILE", "write this thread to a new .md or .json file", _export),
    Slash("/quit", "leave", _quit),
)
NAMED = {**{slash.name: slash for slash in SLASHES}, "exit": SLASHES[-1]}
