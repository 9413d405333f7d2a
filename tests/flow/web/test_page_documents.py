"""Documents over HTTP: opened, uploaded, removed, and what is no document refused."""

from __future__ import annotations

import hashlib
import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.settings import Settings
from agent.web import uploads
from tests.web_page import Served, serving_page
from tools.documents.read.child import Limits

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
NOTE = b"# Alder Corporation\n\nAlder Corporation opened a plant in Lisbon in May 2024.\n"
HOSTILE = '<img src=x onerror=alert(1)> "; rm -rf ~ & \u2764.md'


@pytest.fixture(scope="module")
def read_only(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = Path(shutil.copytree(untouched_home, tmp_path_factory.mktemp("web") / "home"))
    with serving_page(home) as started:
        yield started


@pytest.fixture
def served(tmp_path: Path, vectors_here: None) -> Iterator[Served]:
    with serving_page(tmp_path / "home") as started:
        yield started


def put(served: Served, name: str, data: bytes) -> Any:
    return served.client.put("/api/uploads", params={"name": name}, content=data)


def add(served: Served, name: str, data: bytes) -> dict[str, Any]:
    """The last event of uploading and indexing a file."""
    sent = put(served, name, data)
    assert sent.status_code == 200, sent.text
    return served.lines("/api/index", files=[sent.json()["id"]])[-1]


def left(home: Path) -> list[Path]:
    """Uploads that are still there."""
    return [path for path in (home / "uploads").rglob("*") if path.is_file()]


def test_a_citation_leads_to_its_document_page_and_printed_row(read_only: Served, samples: Path) -> None:
    thread = read_only.thread("cited")
    turn = read_only.ask(thread, REVENUE)[-1]["turn"]
    marker = turn["citations"][0]["marker"]
    found = read_only.client.get(f"/api/threads/{thread}/turns/1/sources/{marker}").json()
    assert (found["kind"], found["page"]) == ("pdf", 3)
    (mark,) = found["marks"]
    assert mark["words"].startswith("Total revenue") and "1,284.6" in mark["words"] and mark["row"]
    page = read_only.client.get(f"/api/documents/{found['document']}/pages/3").json()
    assert "1,284.6" in page["lines"][mark["first"]] and mark["last"] == mark["first"] + 1
    opened = read_only.client.get(f"/api/documents/{found['document']}").json()
    assert opened == {name: found[name] for name in ("document", "name", "kind", "pages")}
    data = read_only.client.get(f"/api/documents/{found['document']}/file")
    assert data.content == next(samples.rglob(found["name"])).read_bytes()
    assert data.headers["content-disposition"].startswith("attachment")
    assert data.headers["content-security-policy"].startswith("sandbox")
    assert read_only.client.get(f"/api/threads/{thread}/turns/1/sources/99").status_code == 404
    other = next(each["rank"] for each in turn["evidence"] if each["rank"] != marker)
    beside = read_only.client.get(f"/api/threads/{thread}/turns/1/sources/{other}").json()
    assert found["cited"] and not beside["cited"] and beside["quote"], "what is not cited opens, too"


def test_a_document_that_is_not_there_is_said_in_words(read_only: Served) -> None:
    for path in ("/api/documents/0123456789abcdef", "/api/documents/0123456789abcdef/file"):
        gone = read_only.client.get(path)
        assert gone.status_code == 404 and "not in the index" in gone.json()["detail"]
    assert read_only.client.delete("/api/documents/CDTH").status_code == 404  # a company's key is no document
    some = read_only.client.get("/api/documents").json()[0]["document"]
    assert "no page 999" in read_only.client.get(f"/api/documents/{some}/pages/999").json()["detail"]


def test_a_file_that_has_moved_or_changed_is_still_shown_from_the_homes_copy(
    tmp_path: Path, vectors_here: None
) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(NOTE)
    Assistant(Settings(_env_file=None, home=tmp_path / "home")).index([note])
    note.write_bytes(b"something else")
    with serving_page(tmp_path / "home") as served:
        id_ = hashlib.sha256(NOTE).hexdigest()[:16]
        assert served.client.get(f"/api/documents/{id_}/file").content == NOTE
        kept = next((tmp_path / "home" / "documents").glob("*/original"))
        assert kept.stat().st_mode & 0o077 == 0
        kept.write_bytes(b"damaged")  # neither copy is what was read
        refused = served.client.get(f"/api/documents/{id_}/file")
        assert refused.status_code == 404 and "moved or changed" in refused.json()["detail"]
        assert "Lisbon" in " ".join(served.client.get(f"/api/documents/{id_}/pages/1").json()["lines"])


def test_an_upload_is_read_asked_and_removed_without_a_trace(served: Served, tmp_path: Path) -> None:
    report = add(served, "note.md", NOTE)
    assert report["kind"] == "report" and report["files"][0]["state"] == "indexed"
    (listed,) = served.client.get("/api/documents").json()
    assert (
        listed["name"] == "note.md"
        and served.client.get(f"/api/documents/{listed['document']}/file").content == NOTE
    )
    thread = served.thread("lisbon")
    turn = served.ask(thread, "Where did Alder Corporation open a plant in May 2024?")[-1]["turn"]
    assert "Lisbon" in turn["answer"]
    done = served.client.delete(f"/api/documents/{listed['document']}").json()
    quoting = [{"id": thread, "name": "lisbon"}]
    assert done == {"removed": ["note.md"], "quoting": quoting, "server_threads": [], "held": False}
    served.client.delete(f"/api/threads/{thread}")
    served.page.sessions.close()
    holding = [p for p in (tmp_path / "home").rglob("*") if p.is_file() and b"Lisbon" in p.read_bytes()]
    assert holding == [] and left(tmp_path / "home") == []
    assert "hybridrag index" in served.client.get("/api/state").json()["missing"]


def test_an_upload_of_what_is_indexed_already_changes_nothing_and_leaves_nothing(
    served: Served, tmp_path: Path
) -> None:
    add(served, "note.md", NOTE)
    again = add(served, "other.md", NOTE)
    assert again["files"][0]["state"] == "same"
    assert [path.name for path in left(tmp_path / "home")] == ["note.md"]


def bomb() -> bytes:
    """A .docx that unpacks to 256 MB."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        with packed.open("word/document.xml", "w", force_zip64=True) as inside:
            for _ in range(16):
                inside.write(b"<" * (16 << 20))
    return buffer.getvalue()


def test_what_is_no_document_is_named_with_the_reason_and_deleted(served: Served, tmp_path: Path) -> None:
    given = {
        "no.pdf": b"this is no PDF",
        "cut.pdf": b"%PDF-1.7\n1 0 obj\n<<>>",
        "empty.html": b"",
        "binary.txt": bytes(range(256)) * 20,
        "bomb.docx": bomb(),
    }
    ids = [put(served, name, data).json()["id"] for name, data in given.items()]
    last = served.lines("/api/index", files=ids)[-1]
    assert last["kind"] == "report" and {each["file"] for each in last["files"]} == set(given)
    assert all(each["state"] == "failed" and each["reason"] for each in last["files"])
    assert left(tmp_path / "home") == []
    assert "hybridrag index" in served.client.get("/api/state").json()["missing"]


def test_a_file_given_twice_is_read_once_and_the_next_is_read_as_well(served: Served, tmp_path: Path) -> None:
    ids = [put(served, "binary.txt", bytes(range(256))).json()["id"] for _ in range(2)]
    assert ids[0] == ids[1] and len(served.lines("/api/index", files=ids)[-1]["files"]) == 1
    assert add(served, "binary.txt", bytes(range(255)))["kind"] == "report"
    assert left(tmp_path / "home") == []


def test_a_second_server_of_a_home_leaves_the_uploads_of_the_first(served: Served, tmp_path: Path) -> None:
    sent = put(served, "note.md", NOTE)
    with serving_page(tmp_path / "home"):
        assert len(left(tmp_path / "home")) == 1 and sent.status_code == 200


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (".hidden.md", "rename"),
        ("a\u202efdp.md", "rename"),
        ("a\nb.md", "rename"),
        (f"{'x' * 250}.md", "rename"),
        ("tool.exe", "no kind that is read"),
        ("noending", "no kind that is read"),
        ("..", "rename"),
    ],
)
def test_a_name_that_can_not_be_kept_is_refused_in_words(
    served: Served, tmp_path: Path, name: str, words: str
) -> None:
    refused = put(served, name, NOTE)
    assert refused.status_code == 400 and words in refused.json()["detail"]
    assert left(tmp_path / "home") == []


def test_a_name_that_would_lead_elsewhere_or_act_is_a_plain_file_name(served: Served, tmp_path: Path) -> None:
    assert add(served, HOSTILE, NOTE)["files"][0]["file"] == HOSTILE
    assert [each["name"] for each in served.client.get("/api/documents").json()] == [HOSTILE]
    assert put(served, "../../../escaped.md", NOTE + b"\nmore").json()["id"].endswith("/escaped.md")
    assert [path.parents[2].name for path in tmp_path.rglob("escaped.md")] == ["home"]
    refused = served.client.post(
        "/api/index", json={"files": ["../../manifest.json", "0123456789abcdef/../x.md"]}
    )
    assert refused.status_code == 400


def test_an_upload_over_the_limit_is_refused_whether_its_length_is_told_or_not(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "DEFAULT_LIMITS", Limits(file_bytes=1 << 20))
    large = b"x" * ((1 << 20) + 1)
    told = put(served, "large.txt", large)
    untold = served.client.put(
        "/api/uploads", params={"name": "large.txt"}, content=iter([large[: 1 << 19]] * 3)
    )
    assert (told.status_code, untold.status_code) == (413, 413) and "1 MiB" in untold.json()["detail"]
    assert left(tmp_path / "home") == []


def test_what_was_uploaded_and_never_indexed_is_gone_when_the_server_starts_again(tmp_path: Path) -> None:
    with serving_page(tmp_path / "home") as served:
        assert put(served, "note.md", NOTE).status_code == 200 and left(tmp_path / "home")
    with serving_page(tmp_path / "home"):
        assert left(tmp_path / "home") == []
