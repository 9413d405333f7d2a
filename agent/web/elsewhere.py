"""A turn that another process answers, as this one's page can follow it: that it is on its way, and how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from agent.display.printable import shown
from agent.errors import OUR_FAILURES, USER_MISTAKES
from agent.threads.sessions import Session
from agent.threads.thread_records import Thread
from agent.web.line_channel import line_of
from agent.web.records import asked_back_record, turn_record

POLL_SECONDS = 0.25
WORDS = "another process is answering"
CUT_OFF = "The answer was cut off. Open the conversation again to go on with it."


async def followed_elsewhere(session: Session, thread: Thread) -> AsyncIterator[bytes]:
    """Lines as `Turns` tells them, without the steps: those are told by the process that answers, to whom it was
    asked by. `thread`: as it was before its turn was seen to be on its way."""
    try:
        begun = await run_in_threadpool(session.begun)
        if begun is not None:
            named = {"id": thread.id, "name": shown(thread.name)}
            yield line_of("begin", thread=named, question=shown(begun.question), words=[WORDS])
        while await run_in_threadpool(session.is_answered_elsewhere):
            await asyncio.sleep(POLL_SECONDS)
        yield await run_in_threadpool(_end, session, thread.turns)
    except (*USER_MISTAKES, *OUR_FAILURES) as error:
        yield line_of("error", text=shown(str(error)), mistake=True)


def _end(session: Session, before: int) -> bytes:
    last, pending = session.last(), session.pending()
    if last is not None and session.thread.turns > before:
        return line_of("answer", turn=turn_record(last))
    if pending is not None:
        return line_of("asked_back", **asked_back_record(pending))
    if session.begun() is not None:
        return line_of("error", text=CUT_OFF, mistake=True)
    return line_of("stopped")
