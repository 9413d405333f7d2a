"""What others made lies here byte for byte, each with its licence, and the page asks for nothing else."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[4] / "agent" / "web"
ROW = re.compile(r"^\| `([^`]+)` \| ([\d.]+) \| ([^|]+) \| ([0-9a-f]{64}) \|$", re.MULTILINE)
LISTED = {
    file: sha256 for file, _, _, sha256 in ROW.findall((WEB / "vendor" / "README.md").read_text("utf-8"))
}


def test_every_vendored_file_is_listed_and_is_what_was_published() -> None:
    found = {
        path.relative_to(WEB / "vendor").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (WEB / "vendor").glob("*/*")
    }
    assert found == LISTED
    assert {file.split("/")[0] for file in LISTED if file.endswith("/LICENSE")} == {
        path.name for path in (WEB / "vendor").iterdir() if path.is_dir()
    }


def test_the_pages_own_files_name_no_other_host_and_hold_no_inline_script_or_style() -> None:
    for path in (WEB / "static").iterdir():
        text = path.read_text("utf-8")
        hosts = set(re.findall(r"\bhttps?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not hosts, path.name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), (
            path.name
        )
    page = (WEB / "static" / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)


def test_every_module_that_is_imported_is_there() -> None:
    for path in (WEB / "static").glob("*.js"):
        for name in re.findall(r"(?:from|import\() ?\"([^\"]+)\"", path.read_text("utf-8")):
            place = WEB / name.lstrip("/") if name.startswith("/") else path.parent / name
            assert place.is_file(), f"{path.name}: {name}"
