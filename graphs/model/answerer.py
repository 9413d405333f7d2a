"""Evidence -> draft, written by the model and tidied by code; the local answerer stands behind it."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Draft, Reading, Verdict
from graphs.drafts import refusals
from graphs.drafts.claims import Claim, keep_lines
from graphs.drafts.draft_guard import DraftGuard
from graphs.model import replies
from graphs.model.answer_forms import FORMS
from graphs.model.citation_markers import canonical, with_markers
from graphs.model.context_budget import fitting
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.scope_text import scope_in_words
from graphs.protocols import Answerer
from tools.documents.text.cleaning import squeeze
from tools.evidence import Evidence, format_evidence
from tools.model.fence import RULE, defused, fence
from tools.model.tokens import estimate_messages
from tools.model.turn import current_turn
from tools.model.types import (
    ChatModel,
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    RefusedReplyError,
    Reply,
)

WHAT_WAS_ASKED = "an answer to the question"
"""What is missing where a reply says that nothing answers, and not what would."""


class ModelAnswerer:
    """An `Answerer` that asks the model once a draft; where the endpoint gives no usable reply, the local engine
    answers in its place."""

    def __init__(
        self, model: ChatModel, local: Answerer, guard: DraftGuard, *, max_tokens: int = 1024
    ) -> None:
        """`guard` finds citations that the model left out; `max_tokens`: what the reply may take of the context."""
        self._model, self._local, self._guard, self._max_tokens = model, local, guard, max_tokens

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        """See `graphs.protocols.Answerer`. The model is not asked what is refused after planning too, and where nothing
        was found."""
        refusal = refusals.before(reading)
        if refusal is not None:
            return refusal
        if not evidence or reading.of_companies:  # whose lines were chosen already
            return self._local.draft(reading, evidence)
        return with_local_fallback(
            "generate",
            lambda: self._drafted(reading, evidence),
            lambda: self._local.draft(reading, evidence),
        )

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict) -> Draft:
        """See `graphs.protocols.Answerer`. Without a usable reply the draft stays as it is: what of it does not hold is
        taken out before it is shown."""
        lost = [statement for statement in verdict.statements if not statement.supported]
        if draft.abstained is not None or not lost:
            return draft
        if draft.engine == "local":
            return self._local.revise(reading, evidence, draft, verdict)
        return with_local_fallback(
            "revise", lambda: self._revised(reading, evidence, draft, verdict), lambda: draft
        )

    def _drafted(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        text, missing = self._reply("answer", "generate", reading, evidence, form=FORMS[reading.form])
        if text:
            return Draft(text=text, engine="model", missing=missing)
        found = refusals.nothing(reading, ())
        return found.model_copy(update={"engine": "model", "missing": missing or WHAT_WAS_ASKED})

    def _revised(
        self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict
    ) -> Draft:
        problems = "\n".join(
            f'{n}. "{statement.text}": {statement.reason or "not in the cited evidence"}'
            + (f" (nearest: {squeeze(statement.nearest)})" if statement.nearest else "")
            for n, statement in enumerate((s for s in verdict.statements if not s.supported), start=1)
        )
        text, _ = self._reply(
            "revise", "revise", reading, evidence, draft=fence(draft.text), problems=fence(problems)
        )
        return draft.model_copy(update={"text": text}) if text else draft

    def _reply(
        self, name: str, step: str, reading: Reading, evidence: Sequence[Evidence], **more: str
    ) -> tuple[str, str]:
        """The tidied text of a reply, '' where the model says that the evidence holds no answer, and what it says to be
        missing.

        Raises ModelError, also for a refusal and for a reply that is no answer.
        """
        kept, reply = self._fitted(name, reading, evidence, more)
        if left_out := len(evidence) - len(kept):
            current_turn().note(
                f"{step}: {left_out} of {len(evidence)} pieces of evidence left out to fit the model's context"
            )
        raw, missing = replies.without_missing(replies.unwrapped(reply.text))
        if reply.finish == "length":
            raw = replies.whole_sentences(raw)
            current_turn().note(f"{step}: the model's reply was cut at its token limit")
        text = replies.readable(raw, reading.question)
        if replies.is_refusal(text):
            raise RefusedReplyError("the model declined to answer")
        if (not text and not missing) or text.startswith(("{", "[{")):
            raise MalformedReplyError("the model's reply is no answer in words")
        if not text or replies.is_absent(text):
            return "", missing
        cited, replaced = with_markers(
            canonical(replies.without_absent(text), evidence), evidence, self._guard
        )
        if replaced:
            many = "1 citation" if replaced == 1 else f"{replaced} citations"
            current_turn().note(
                f"{step}: {many} of the model's pointed at the wrong evidence and now at the right one"
            )
        return self._without_strange_heads(cited, reading, evidence), missing

    def _without_strange_heads(self, text: str, reading: Reading, evidence: Sequence[Evidence]) -> str:
        """`text` without headings, leads and column names that state nothing and have words of nobody's."""
        by_rank = {item.rank: item for item in evidence}

        def keeps(claim: Claim) -> bool:
            return claim.kind != "head" or not self._guard.label_fault(claim, by_rank, reading.question)

        return keep_lines(text, keeps)

    def _fitted(
        self, name: str, reading: Reading, evidence: Sequence[Evidence], more: dict[str, str]
    ) -> tuple[Sequence[Evidence], Reply]:
        """The evidence shown and the reply; what does not fit the model's context is cut, once."""

        def messages(shown: Sequence[Evidence]) -> tuple[Message, ...]:
            return prompt(
                name,
                data_rule=RULE,
                question=defused(squeeze(reading.question)),
                scope=defused(scope_in_words(reading)),
                evidence=fence(format_evidence(shown)),
                **more,
            )

        def room(limit: int) -> int:
            return limit - self._max_tokens - estimate_messages(messages([]), self._model.id)

        kept: Sequence[Evidence] = evidence
        if self._model.context is not None:
            kept = fitting(evidence, room(self._model.context), self._model.id) or evidence[:1]
        try:
            return kept, self._model.complete(messages(kept), max_tokens=self._max_tokens)
        except ContextTooSmallError as error:
            most = estimate_messages(messages(kept), self._model.id) - estimate_messages(
                messages([]), self._model.id
            )
            fewer = fitting(
                kept, min(room(error.limit), most - 1) if error.limit else most // 2, self._model.id
            )
            if not fewer or len(fewer) == len(kept):
                raise
            return fewer, self._model.complete(messages(fewer), max_tokens=self._max_tokens)
