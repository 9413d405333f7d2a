"""A model's reply as the text of an answer: what small models wrap around one, repeat or decorate is taken off."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from graphs.drafts.links import unlinked
from graphs.model import phrases
from prompts.loading import load
from tools.documents.text.cleaning import clean, sentences, squeeze
from tools.model.fence import RULE

MAX_CHARS = 12_000
"""Characters of a reply that are read."""
ABSENT = "NOT_IN_EVIDENCE"
"""What the prompt asks the model to reply where the evidence holds no answer."""
MAX_MISSING_CHARS = 300
_MISSING = re.compile(r"^[\s*_#>-]*MISSING[\s*_]*:[\s*_]*(.*)$", re.MULTILINE)
"""What the prompt asks the model to add where the evidence leaves something open."""
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[\w+-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_KEYS = ("answer", "final_answer", "reply", "response", "question", "result", "text", "output", "content")
_CUT_JSON = re.compile(r'\{\s*"(?:' + "|".join(_KEYS) + r')"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_ASKING = ("answer", "revise", "condense", "plan", "verdicts")
_RUN = 6
"""Words in a row that a reply and a prompt's rules share by no accident."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TURNS = re.compile(
    r"<\|[^|<>\n]{0,40}\|>(?:\s*(?:assistant|system|user)\b)?|<<\s*/?\s*SYS\s*>>|\[\s*/?\s*(?:INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\s*\]"
    r"|</?s>|</?(?:start|end)_of_turn>|<<<\s*DATA\b(?:\s*[0-9a-f]+)?|(?:\b[0-9a-f]{1,16}\s*)?\bDATA\s*>>>",
    re.IGNORECASE,
)
"""What servers put around the turns of a conversation, and our own fences."""
_LABEL = re.compile(
    r"^[\s*_#>]*(?:final\s+|corrected\s+|revised\s+)?(?:answer|reply|response)[\s*_]*:[\s*_]*", re.IGNORECASE
)
_ROLE = re.compile(r"^\s*(?:assistant|user|system|human)\s*:\s*", re.IGNORECASE)
"""Who speaks, where a model goes on with the conversation by itself."""
_QUOTED_LINE = re.compile(r"^\s*(?:>\s*)+")
_ASKED = re.compile(r"^[\s*_#>]*question[\s*_]*:[^\n]*\n", re.IGNORECASE)
_HEADED = re.compile(
    r"^\s*(?:#{1,6}|\*\*)\s*(?:the |final )?(?:answer|reply|response)[\s*:]*$", re.IGNORECASE
)
_BOLD_LINE = re.compile(r"\s*(?:#{1,6}\s+)?\*\*[^*]+\*\*:?\s*")
_SOURCES = re.compile(
    r"^[\s*_#>-]*(?:sources?|references?|citations?|evidence(?: used)?)[\s*_]*:?[\s*_]*$", re.IGNORECASE
)
_SOURCE_LINE = re.compile(
    r"^[\s*_#>-]*(?:sources?|references?|citations?)[\s*_]*:\s*[\s*_]*(?=\S)", re.IGNORECASE
)


def readable(text: str, question: str) -> str:
    """The answer in a reply: without thoughts, fences, JSON, links, HTML, labels, the question, small talk,
    the prompt's own rules, a list of sources at the end, and repetitions. Markers stay as they are.

    '' where nothing is left.
    """
    text = _plain(unwrapped(text))
    text = _LABEL.sub("", _ASKED.sub("", text), count=1)
    seen: set[str] = set()
    lines: list[str] = []
    for line in text.split("\n"):
        if _SOURCES.match(line):
            break
        if _HEADED.match(line):
            continue
        line = _ROLE.sub("", _QUOTED_LINE.sub("", line))
        line = "" if _is_ours(line) and line.lstrip().startswith("|") else _SOURCE_LINE.sub("", line)
        kept = line if line.lstrip().startswith("|") else _sentences(line, question, seen)
        if kept.strip() or not line.strip():
            lines.append(kept.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_rows_once(lines))).strip()


def unwrapped(text: str) -> str:
    """A reply's own text, out of thoughts, a code fence and a JSON object of one field; visible characters only."""
    text = clean(_THOUGHT.sub(" ", text[: 4 * MAX_CHARS]))
    text = _THOUGHT_END.sub("", text)[:MAX_CHARS].strip()
    fenced = _FENCED.findall(text)
    if fenced and len(_FENCED.sub("", text).split()) <= 12:
        text = max(fenced, key=len).strip()
    return _out_of_json(text) if text.startswith("{") else text


def _out_of_json(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        cut = _CUT_JSON.match(text)
        return clean(cut[1].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")) if cut else text
    strings = {key.lower(): item for key, item in value.items() if isinstance(item, str)}
    found = next((strings[key] for key in _KEYS if key in strings), None)
    if found is None and len(strings) == 1 and " " in next(iter(strings.values())):
        found = next(iter(strings.values()))
    return clean(found).strip() if found is not None else text


def _plain(text: str) -> str:
    """Without links, images, HTML and marks of turns; their words stay."""
    text = unlinked(_SCRIPT.sub(" ", _COMMENT.sub(" ", _TURNS.sub(" ", text))))
    return text.replace("&nbsp;", " ").replace("&amp;", "&").replace("```", "")


def _is_ours(text: str) -> bool:
    """Does a sentence repeat the rules that the prompts give?"""
    return bool(_runs(text) & _rules())


@lru_cache
def _rules() -> frozenset[tuple[str, ...]]:
    instructions = [load(name).system.template.partition("\nExample")[0] for name in _ASKING]
    return frozenset(
        run for text in (*instructions, RULE) for line in text.split("\n") for run in _runs(line)
    )


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9_]+", text.lower())
    return frozenset(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))


def _sentences(line: str, question: str, seen: set[str]) -> str:
    """A line without the question, small talk and what was said before."""
    indent = line[: len(line) - len(line.lstrip())]
    if not _BOLD_LINE.fullmatch(line):
        line = re.sub(r"\*\*|__", "", line)
    kept: list[str] = []
    for sentence in sentences(line):
        bare = squeeze(re.sub(r"\[\d{1,3}\]", "", sentence)).strip(" *_\"'“”.?:#>-").lower()
        if (
            bare == squeeze(question).strip(" .?\"'").lower()
            or phrases.CHAT.match(bare)
            or (bare in seen and len(bare) > 8)
            or _is_ours(sentence)
        ):
            continue
        seen.add(bare)
        kept.append(_without_lead(sentence))
    return indent + " ".join(kept)


def _without_lead(sentence: str) -> str:
    """'Evidence 2 states that sales rose.' -> 'Sales rose [2].'"""
    lead = phrases.LEAD.match(sentence) or phrases.SAYS.match(sentence)
    if lead is None:
        return sentence
    marks = "".join(f"[{n}]" for n in re.findall(r"\d+", lead[1]))
    rest = sentence[lead.end() :]
    rest = rest[:1].upper() + rest[1:]
    end = re.search(r"[.!?]*$", rest)
    at = end.start() if end else len(rest)
    return f"{rest[:at]} {marks}{rest[at:]}" if marks else rest


def _rows_once(lines: list[str]) -> list[str]:
    kept: list[str] = []
    rows: set[str] = set()
    for line in lines:
        is_row = line.lstrip().startswith("|") and not re.fullmatch(r"[\s|:-]+", line)
        if is_row and line in rows:
            continue
        if is_row:
            rows.add(line)
        kept.append(line)
    return kept


def is_absent(text: str) -> bool:
    """Does the reply say that the evidence holds no answer, and nothing else?"""
    bare = re.sub(r"[\s_*`'\".]+", " ", text).strip().upper()
    if bare in ("NOT IN EVIDENCE", "NOT IN THE EVIDENCE", "NOTINEVIDENCE"):
        return True
    said = sentences(without_absent(text))
    if not said:
        return True
    if re.search(r"\bNOT[_ ]IN[_ ]EVIDENCE\b", text) and not re.search(r"\[\d", text):
        return True
    return (
        len(said) <= 2
        and bool(phrases.LACKS.search(said[0]))
        and not re.search(r"\d{3}|\d\.\d|%", " ".join(said))
    )


def without_absent(text: str) -> str:
    """An answer without the code for 'no answer' that a model has written beside it."""
    return re.sub(rf"[ \t]*\**`?\b{ABSENT}\b`?\**\.?", "", text).strip()


def without_missing(text: str) -> tuple[str, str]:
    """A reply without its line that says what is missing, and what that line says; '' where there is none."""
    found = _MISSING.findall(text)
    return _MISSING.sub("", text).strip(), squeeze(" ".join(found))[:MAX_MISSING_CHARS]


def is_refusal(text: str) -> bool:
    """Does the reply decline to answer, as a matter of the model's own rules?"""
    return bool(phrases.REFUSES.match(text)) and not re.search(r"\[\d{1,3}\]", text)


def whole_sentences(text: str) -> str:
    """A reply that was cut at the token limit, without its unfinished end."""
    head, newline, last = text.rpartition("\n")
    if last.lstrip().startswith("|"):
        return (
            text
            if last.rstrip().endswith("|") and last.count("|") == text.split("\n")[0].count("|")
            else head
        )
    ends = list(re.finditer(r"[.!?][\"'”’)]*(?:\s*\[\d{1,3}\])*(?=\s|\Z)", last))
    return (head + newline + (last[: ends[-1].end()] if ends else "")).strip()
