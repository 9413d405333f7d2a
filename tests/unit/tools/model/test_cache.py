from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.model.cache import Journal, Source, forget, journals, replies, reply_key

ALDER = Source("a" * 16, "/in/alder.txt", "2024/alder.txt")
BIRCH = Source("b" * 16, "/in/birch.txt", "birch.txt")


def test_what_was_put_is_there_for_the_next_run(tmp_path: Path) -> None:
    Journal(tmp_path, ALDER).put("k1", {"text": "yes"})
    again = Journal(tmp_path, ALDER)
    assert again.get("k1") == {"text": "yes"}
    assert again.get("k2") is None
    assert [(s.document_id, s.source, s.name) for s in journals(tmp_path)] == [
        ("a" * 16, "/in/alder.txt", "alder.txt")
    ]


def test_looking_writes_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "cache", ALDER)
    assert journal.get("k") is None
    assert journal.peek("k") is None
    assert not (tmp_path / "cache").exists()


def test_a_journal_cut_at_any_byte_loses_its_last_reply_at_most_and_goes_on(tmp_path: Path) -> None:
    whole = Journal(tmp_path, ALDER)
    whole.put("k1", {"text": "one"})
    whole.put("k2", {"text": "two"})
    path = tmp_path / f"{ALDER.document_id}.jsonl"
    data = path.read_bytes()
    first = data.index(b"\n", data.index(b"\n") + 1) + 1
    for length in range(len(data)):
        path.write_bytes(data[:length])
        journal = Journal(tmp_path, ALDER)
        assert (journal.get("k1") is not None) == (length >= first - 1)
        assert (journal.get("k2") is not None) == (length >= len(data) - 1)
        journal.put("k3", {"text": "three"})
        journal.put("k4", {"text": "four"})
        again = Journal(tmp_path, ALDER)
        assert (again.get("k3"), again.get("k4")) == ({"text": "three"}, {"text": "four"})
        assert journals(tmp_path)[0].source == ALDER.source


def test_a_changed_byte_of_a_reply_is_noticed(tmp_path: Path) -> None:
    journal = Journal(tmp_path, ALDER)
    journal.put("k1", {"text": "sound"})
    journal.put("k2", {"text": "other"})
    path = tmp_path / f"{ALDER.document_id}.jsonl"
    path.write_bytes(path.read_bytes().replace(b"sound", b"bound"))
    again = Journal(tmp_path, ALDER)
    assert (again.get("k1"), again.get("k2")) == (None, {"text": "other"})


def test_bytes_that_are_no_journal_are_no_error(tmp_path: Path) -> None:
    (tmp_path / f"{ALDER.document_id}.jsonl").write_bytes(b"\x00\xff\n[1]\nnull\n{}\n" + b"x" * 99)
    journal = Journal(tmp_path, ALDER)
    journal.put("k", {"text": "t"})
    assert Journal(tmp_path, ALDER).get("k") == {"text": "t"}


def test_a_donors_reply_becomes_the_documents_own(tmp_path: Path) -> None:
    Journal(tmp_path, ALDER).put("k", {"text": "t"})
    assert Journal(tmp_path, BIRCH, [ALDER.document_id]).get("k") == {"text": "t"}
    forget(tmp_path, [ALDER.document_id])
    assert Journal(tmp_path, BIRCH).get("k") == {"text": "t"}
    assert [one.document_id for one in journals(tmp_path)] == [BIRCH.document_id]


def test_what_is_forgotten_is_gone_from_the_disk(tmp_path: Path) -> None:
    Journal(tmp_path, ALDER).put("k", {"text": "secret"})
    forget(tmp_path, [ALDER.document_id, "never there"])
    assert list(tmp_path.iterdir()) == []
    assert list(replies(tmp_path)) == []
    forget(tmp_path / "missing", ["x"])


def test_a_reply_is_on_the_disk_before_it_can_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        path = tmp_path / f"{ALDER.document_id}.jsonl"
        seen.append(path.read_bytes())

    monkeypatch.setattr(os, "fsync", fsync)
    journal = Journal(tmp_path, ALDER)
    journal.put("k", {"text": "kept"})
    assert b"kept" in seen[0]


def test_a_refused_write_is_told_and_the_next_line_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, ALDER)
    journal.put("k1", {"text": "one"})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            journal.put("k2", {"text": "two"})
    assert journal.get("k2") is None
    journal.put("k3", {"text": "three"})
    assert Journal(tmp_path, ALDER).get("k3") == {"text": "three"}


@pytest.mark.parametrize(
    "other",
    [
        ("m2", [("user", "t")], None, 9),
        ("m1", [("system", "t")], None, 9),
        ("m1", [("user", "t ")], None, 9),
        ("m1", [("user", "t")], {"type": "object"}, 9),
        ("m1", [("user", "t")], None, 8),
    ],
)
def test_a_key_depends_on_model_messages_schema_and_limit(
    other: tuple[str, list[tuple[str, str]], object, int],
) -> None:
    assert reply_key("m1", [("user", "t")], None, 9) != reply_key(*other)
    assert reply_key(*other) == reply_key(*other)
