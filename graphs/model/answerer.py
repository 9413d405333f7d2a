"""Evidence -> draft, written by the model and tidied by code; the local answerer stands behind it."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Draft, Reading, Verdict
from graphs.drafts import refusals
from graphs.drafts.draft_guard import DraftGuard
from graphs.model import replies
from graphs.model.citation_markers import canonical, with_markers
from graphs.model.comparison_table import lacks
from graphs.model.context_budget import fitting
from graphs.model.draft_relevance import cites_weak_facts_only, omits_sure_figures, rests_on_facts
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


class ModelAnswerer:
    """An `Answerer` that asks the model once a draft, and code for whatever can be known without it."""

    def __init__(
        self, model: ChatModel, local: Answerer, guard: DraftGuard, *, max_tokens: int = 1024
    ) -> None:
        """`local` drafts where the model can't; `guard` finds citations and faults; `max_tokens`: what the reply may
        take of the context."""
        self._model, self._local, self._guard, self._max_tokens = model, local, guard, max_tokens

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        """See `graphs.protocols.Answerer`. The model is not asked about what no document is about, about names
        and periods that are not indexed, where nothing was found, and which of several companies is meant."""
        refusal = refusals.before(reading)
        if refusal is not None:
            return refusal
        local = self._local.draft(reading, evidence)
        if not evidence or local.abstained == "ambiguous":
            return local
        return with_local_fallback("generate", lambda: self._drafted(reading, evidence, local), lambda: local)

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict) -> Draft:
        """See `graphs.protocols.Answerer`. A revision that the local check still refuses gives way to the local
        answerer's own draft where that one passes."""
        lost = [statement for statement in verdict.statements if not statement.supported]
        if draft.abstained is not None or not lost:
            return draft
        if draft.engine == "local":
            return self._local.revise(reading, evidence, draft, verdict)
        return with_local_fallback(
            "revise",
            lambda: self._revised(reading, evidence, draft, verdict),
            lambda: self._trimmed(reading, evidence, draft, verdict),
        )

    def _drafted(self, reading: Reading, evidence: Sequence[Evidence], local: Draft) -> Draft:
        text = self._reply("answer", "generate", reading, evidence)
        sure = rests_on_facts(local, evidence) and self._guard.passes(reading, local, evidence)
        draft = Draft(text=text, engine="model")
        off = omits_sure_figures(draft, local, evidence) and self._guard.passes(
            reading, draft, evidence
        )  # else check and revise see to it
        if sure and text and not off and (lacking := lacks(draft, local, reading, evidence)):
            current_turn().note(
                f"generate: the model's comparison lacks {lacking}; the local engine's was used"
            )
            return local
        if sure and (not text or off):
            found = "no answer in the evidence" if not text else "other figures than those asked for"
            current_turn().note(f"generate: the model found {found}; the local engine's was used")
            return local
        if not text:
            return refusals.nothing(reading, evidence).model_copy(update={"engine": "model"})
        if local.abstained is not None and cites_weak_facts_only(draft, evidence):
            current_turn().note("generate: the model gave figures of something else than was asked for")
            return local
        return draft

    def _revised(
        self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict
    ) -> Draft:
        problems = "\n".join(
            f'{n}. "{statement.claim or statement.text}": {statement.reason or "not in the cited evidence"}'
            for n, statement in enumerate((s for s in verdict.statements if not s.supported), start=1)
        )
        text = self._reply(
            "revise", "revise", reading, evidence, draft=fence(draft.text), problems=fence(problems)
        )
        if not text:
            return self._trimmed(reading, evidence, draft, verdict)
        revised = Draft(text=text, engine="model")
        own = self._local.draft(reading, evidence)
        fault = "" if self._guard.passes(reading, revised, evidence) else "did not pass the local check"
        if not fault and rests_on_facts(own, evidence) and omits_sure_figures(revised, own, evidence):
            fault = "states other figures than those asked for"
        lacking = lacks(revised, own, reading, evidence)
        if not fault and lacking:
            fault = f"lacks {lacking}"
        if not fault or not self._guard.passes(reading, own, evidence):
            return revised
        current_turn().note(f"revise: the revised draft {fault}; the local engine's was used")
        return own

    def _trimmed(
        self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict
    ) -> Draft:
        """What holds of the draft; where nothing does, the local engine's own draft if that does, else a refusal."""
        claims = tuple(s.model_copy(update={"text": s.claim or s.text}) for s in verdict.statements)
        trimmed = self._local.revise(
            reading, evidence, draft, Verdict(statements=claims, score=verdict.score)
        )
        if trimmed.abstained is None:
            return trimmed.model_copy(update={"engine": draft.engine})
        own = self._local.draft(reading, evidence)
        if not self._guard.passes(reading, own, evidence):
            return trimmed
        current_turn().note("revise: nothing of the model's draft held; the local engine's was used")
        return own

    def _reply(
        self, name: str, step: str, reading: Reading, evidence: Sequence[Evidence], **more: str
    ) -> str:
        """The tidied text of a reply; '' where the model says that the evidence holds no answer.

        Raises ModelError, also for a refusal and for a reply that is no answer.
        """
        kept, reply = self._fitted(name, reading, evidence, more)
        if left_out := len(evidence) - len(kept):
            current_turn().note(
                f"{step}: {left_out} of {len(evidence)} pieces of evidence left out to fit the model's context"
            )
        raw = reply.text
        if reply.finish == "length":
            raw = replies.whole_sentences(replies.unwrapped(raw))
            current_turn().note(f"{step}: the model's reply was cut at its token limit")
        text = replies.readable(raw, reading.question)
        if replies.is_refusal(text):
            raise RefusedReplyError("the model declined to answer")
        if not text or text.startswith(("{", "[{")):
            raise MalformedReplyError("the model's reply is no answer in words")
        if replies.is_absent(text):
            return ""
        cited, replaced = with_markers(
            canonical(replies.without_absent(text), evidence), evidence, self._guard
        )
        if replaced:
            many = "1 citation" if replaced == 1 else f"{replaced} citations"
            current_turn().note(
                f"{step}: {many} of the model's pointed at the wrong evidence and now at the right one"
            )
        return cited

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
