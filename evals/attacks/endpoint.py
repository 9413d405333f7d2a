"""Attacks by whoever the assistant asks: the chat model's endpoint, the embedding model's."""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from agent.assistant import Assistant
from agent.display.render import plain_answer
from agent.endpoint.limits import Pace
from agent.endpoint.models import MAX_TEMPLATE_TOKENS, endpoint_embeddings
from agent.endpoint_address import KEY_RUN
from agent.errors import OUR_FAILURES, USER_MISTAKES
from agent.settings import Settings
from evals.attacks import endpoint_forms as forms
from evals.attacks.attack import Attack
from evals.attacks.hostile_endpoint import (
    KEY,
    MODEL,
    Asked,
    HostileEndpoint,
    Reply,
    completion,
    hostile,
    vectors,
    whole,
)
from graphs.contracts import Answer
from tools.model.types import ModelError

CALL = """Alder Corporation Q2 2024 Earnings Call Transcript

Ada Quill
Good morning and welcome to the Alder second quarter 2024 earnings call. Revenue was $100 million in the quarter ended
June 30, 2024, up 3% from a year ago.

Tom Reed
What drove the growth in the quarter?

Ada Quill
Demand from our largest customers drove the growth, and the price increase that we made in April.
"""
DEADLINE = 4.0
SLACK = 20.0
"""Seconds that a busy machine may take beyond a deadline."""
MEMORY = 700 * 2**20
"""Bytes that the process may grow by while it reads a reply."""
QUICK = Pace(first=0.01, factor=1, jitter=0)
BREAKS: tuple[type[Exception], ...] = (
    *USER_MISTAKES,
    *OUR_FAILURES,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What nobody may get to see on account of an endpoint."""
STRANGE_PARTS = (
    KEY,
    KEY[3 : 3 + KEY_RUN],
    KEY[:12],
    KEY[-9:],
    "".join(f"\\u{ord(each):04x}" for each in KEY),
    "\u200b".join(KEY),
)
SEQUENCES = (
    "\x1b[31m",
    "\x1b]0;owned\x07",
    "\x1b]8;;http://x.example\x1b\\",
    "\x9b2J",
    "\x1bPq#1\x1b\\",
    "\x1b(0",
)
LEFT_OF_SEQUENCES = ("\x1b", "\x9b", "[31m", "owned", "x.example", "2J", "#1", "(0")


def indexed(folder: Path, **more: Any) -> Path:
    """A home with one call, made without a chat model."""
    (folder / "in").mkdir()
    (folder / "in" / "call.txt").write_text(CALL, encoding="utf-8")
    with Assistant(Settings(_env_file=None, home=folder / "home", engine="local", **more)) as assistant:
        assistant.index([folder / "in"])
    return folder / "home"


@contextmanager
def asked(home: Path) -> Iterator[tuple[Assistant, HostileEndpoint]]:
    """An assistant over `home` that asks an endpoint, sound until it is told otherwise."""
    with hostile(forms.sound) as endpoint:
        settings = Settings(
            _env_file=None,
            home=home,
            llm_base_url=endpoint.base_url,
            llm_model=MODEL,
            llm_api_key=KEY,
            llm_timeout=DEADLINE,
            deadline=DEADLINE,
        )
        with Assistant(settings) as assistant:
            assistant.ask(forms.QUESTION)  # what has to be loaded is
            yield assistant, endpoint


def broken(what: str, ask: Callable[[], str]) -> list[str]:
    """What `ask` found broken, if anything."""
    try:
        found = ask()
    except BREAKS as error:
        found = f"{type(error).__name__}: {str(error)[:100]}"
    return [f"{what}: {found}"] if found else []


def faults_at(step: str, faults: Mapping[str, Reply], home: Path) -> Sequence[str]:
    """Every fault at one step: an answer comes, in time, from the model or from the local engine."""
    found: list[str] = []
    with asked(home) as (assistant, endpoint):
        for what, fault in faults.items():
            endpoint.reply = forms.wrong_at(step, fault)
            endpoint.asked.clear()
            found += broken(what, partial(_answered, assistant, endpoint, step))
    return found


def _answered(assistant: Assistant, endpoint: HostileEndpoint, step: str) -> str:
    began, before = time.monotonic(), _memory()
    answer = assistant.ask(forms.QUESTION)
    seconds, grown = time.monotonic() - began, _memory() - before
    if not any(forms.step_of(each) == step for each in endpoint.asked):
        return f"the step '{step}' was never asked"
    if seconds > DEADLINE + SLACK:
        return f"{seconds:.0f} s"
    if grown > MEMORY:
        return f"{grown / 2**20:,.0f} MiB more"
    return "" if answer.answer.strip() else "no answer"


def a_long_wait(home: Path) -> Sequence[str]:
    """One 429 that asks for a long wait: that question is answered without the model, the next one with it."""
    found: list[str] = []
    for after in ("120", "3600", "Fri, 31 Dec 9999 23:59:59 GMT"):
        with asked(home) as (assistant, endpoint):
            endpoint.reply = partial(_come_back, after=after)
            first = assistant.ask(forms.QUESTION)
            endpoint.reply = forms.sound
            began = time.monotonic()
            second = assistant.ask(forms.QUESTION)
            if first.usage.calls or not first.reason:
                found.append(f"{after}: the first question says nothing of it")
            if not second.usage.calls or time.monotonic() - began > DEADLINE + SLACK:
                found.append(f"{after}: the next question did not reach the model: {second.reason}")
    return found


def _come_back(each: Asked, after: str) -> Iterable[bytes]:
    return whole(429, b"{}", f"Retry-After: {after}")


def usages(home: Path) -> Sequence[str]:
    """Figures of usage that cannot be."""
    found: list[str] = []
    with asked(home) as (assistant, endpoint):
        for usage in forms.USAGES:
            endpoint.asked.clear()
            endpoint.reply = partial(_with_usage, usage=usage)

            def ask() -> str:
                spent = assistant.ask(forms.QUESTION).usage
                sent = sum(len(str(each.body)) + MAX_TEMPLATE_TOKENS for each in endpoint.asked)
                received = 1024 * len(endpoint.asked)
                sane = 0 <= spent.input_tokens <= sent and 0 <= spent.output_tokens <= received
                return "" if sane else f"{spent.input_tokens} and {spent.output_tokens} tokens"

            found += broken(str(usage)[:60], ask)
    return found


def _with_usage(each: Asked, usage: Any) -> Iterable[bytes]:
    if not each.body:
        return whole(404, b"{}")
    text = json.dumps(forms.PLAN) if forms.step_of(each) == "plan" else forms.ANSWER
    return whole(200, completion(text, usage))


def echoes(home: Path) -> Sequence[str]:
    """Parts of the key and control sequences, in whatever an endpoint may say."""
    found: list[str] = []
    with asked(home) as (assistant, endpoint):
        for part in (*STRANGE_PARTS, *SEQUENCES):
            for place, say in _PLACES.items():
                endpoint.reply = say(part)
                found += broken(
                    f"{part[:12]!a} in {place}", lambda: _left(_told(assistant.ask(forms.QUESTION)))
                )
    return [*found, *_left_on_disk(home)]


def _say_in_answer(part: str) -> Reply:
    said = whole(200, completion(f"{forms.ANSWER[:-5]}, {part} as the call says [1]."))
    return forms.wrong_at("answer", lambda _: said)


_PLACES: Mapping[str, Callable[[str], Reply]] = {
    "an answer": _say_in_answer,
    "a refusal": lambda part: forms.wrong_at(
        "answer", lambda _: whole(200, completion("", refusal=f"not with {part}"))
    ),
    "an error": lambda part: (
        lambda _: whole(
            401, json.dumps({"error": {"message": f"bad key {part}"}}, ensure_ascii=False).encode()
        )
    ),
    "a plan": lambda part: forms.wrong_at(
        "plan", lambda _: whole(200, completion(json.dumps({**forms.PLAN, "reason": part})))
    ),
    "a list of models": lambda part: (
        lambda each: (
            whole(404, b'{"error": {"message": "model not found"}}')
            if each.body
            else whole(200, json.dumps({"data": [{"id": part}]}, ensure_ascii=False).encode())
        )
    ),
}


def _told(answer: Answer) -> str:
    told: Any = answer.model_dump(mode="json")
    return f"{told}\n{plain_answer(answer)}"


def _left(text: str) -> str:
    seen = "".join(each for each in text if each.isprintable() or each == "\x1b")
    keys = [KEY[at : at + KEY_RUN] for at in range(len(KEY) - KEY_RUN + 1) if KEY[at : at + KEY_RUN] in seen]
    parts = [*keys[:1], *(each for each in LEFT_OF_SEQUENCES if each in text)]
    return f"{parts} is shown" if parts else ""


def _left_on_disk(home: Path) -> list[str]:
    return [
        f"the key is in {path.name}"
        for path in home.rglob("*")
        if path.is_file() and KEY[:KEY_RUN].encode() in path.read_bytes()
    ]


def embedding_faults(folder: Path) -> Sequence[str]:
    """Whatever an embedding endpoint does is an error in words, in time; what it did is not in an index."""
    wrong: dict[str, Reply] = {
        **forms.FAULTS,
        **{name: partial(_wrong_vectors, rows=rows) for name, rows in forms.VECTORS.items()},
    }
    found: list[str] = []
    with hostile(lambda each: whole(200, vectors(each))) as endpoint:
        settings = _embedding_settings(endpoint, folder / "home")
        for what, fault in wrong.items():
            endpoint.reply = fault
            found += broken(what, partial(_refused, settings))
        found += broken("an index", partial(_indexed_after_faults, settings, endpoint, folder))
    return found


def _wrong_vectors(each: Asked, rows: Callable[[int], Any]) -> Iterable[bytes]:
    return forms.embedded(each, rows)


def _embedding_settings(endpoint: HostileEndpoint, home: Path) -> Settings:
    return Settings(
        _env_file=None,
        home=home,
        engine="local",
        embed_base_url=endpoint.base_url,
        embed_model=MODEL,
        embed_api_key=KEY,
        llm_timeout=1.0,
        deadline=DEADLINE,
    )


def _refused(settings: Settings) -> str:
    began, before = time.monotonic(), _memory()
    with closing(endpoint_embeddings(settings, QUICK)) as embedder:
        try:
            embedder.embed(["one", "two", "three"])
        except ModelError as error:
            if why := _left(str(error)):
                return why
        else:
            return "it was taken for vectors"
    if time.monotonic() - began > 3 * settings.llm_timeout + SLACK:
        return "it took too long"
    return f"{(_memory() - before) / 2**20:,.0f} MiB more" if _memory() - before > MEMORY else ""


def _indexed_after_faults(settings: Settings, endpoint: HostileEndpoint, folder: Path) -> str:
    """Indexing fails in words while vectors are wrong, and goes on when they are right; a question does the same."""
    (folder / "in").mkdir()
    (folder / "in" / "call.txt").write_text(CALL, encoding="utf-8")
    with Assistant(settings) as assistant:
        endpoint.reply = lambda each: whole(500, b"")
        try:
            report = assistant.index([folder / "in"])
        except ModelError:
            pass
        else:
            if report.counts.get("indexed"):
                return "it was indexed without vectors"
        endpoint.reply = lambda each: whole(200, vectors(each))
        if assistant.index([folder / "in"]).counts != {"indexed": 1}:
            return "it was not indexed afterwards"
        endpoint.reply = forms.DEEP["lists within lists"]
        if not assistant.ask(forms.QUESTION).answer:
            return "a question had no answer"
        endpoint.reply = lambda each: whole(200, vectors(each))
        return "" if assistant.ask(forms.QUESTION).answer else "the next question had no answer"


def _memory() -> int:
    """Most bytes that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _on_a_home(run: Callable[[Path], Sequence[str]]) -> Callable[[Path], Sequence[str]]:
    return lambda folder: run(indexed(folder))


ATTACKS: Sequence[Attack] = (
    *(
        Attack(
            f"faults of the endpoint at the step '{step}'",
            len(forms.FAULTS),
            _on_a_home(partial(faults_at, step, forms.FAULTS)),
        )
        for step in ("plan", "answer", "verdicts")
    ),
    Attack("one 429 that asks for a long wait", 3, _on_a_home(a_long_wait)),
    Attack("usage that cannot be", len(forms.USAGES), _on_a_home(usages)),
    Attack(
        "parts of the key and control sequences in replies",
        (len(STRANGE_PARTS) + len(SEQUENCES)) * len(_PLACES),
        _on_a_home(echoes),
    ),
    Attack("faults of the embedding endpoint", len(forms.FAULTS) + len(forms.VECTORS) + 1, embedding_faults),
)
