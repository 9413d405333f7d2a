from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from endpoint import Server, serving
from reading_model import reading

from agent.assistant import Assistant
from evals.kills import write_documents
from tools.store.reader import open_generation
from tools.vector.embeddings import LocalEmbeddings


def index(server: Server, home: Path, documents: Path, **more: object):
    settings = server.settings(home=home)
    return Assistant(settings).index([documents], **more)


def test_a_document_is_read_by_the_model_end_to_end(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        report = index(server, tmp_path / "home", documents)
    assert report.counts == {"indexed": 3}
    assert (report.extractor, report.spent.calls, len(server.chats)) == ("scripted", 6, 6)
    with open_generation(tmp_path / "home", LocalEmbeddings()) as opened:
        found = {(t.head, t.relation, t.tail, t.page, t.quote) for t in opened.graph.triplets()}
    assert ("Alder Corporation", "opened in", "Ohio", 1, "We opened 2 plants in Ohio.") in found
    assert report.tally["dropped: ungrounded"] == report.tally["dropped: malformed"] == 3
