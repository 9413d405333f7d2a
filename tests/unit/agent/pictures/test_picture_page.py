from __future__ import annotations

import base64
import hashlib
import json
import re

from agent.pictures.picture import picture
from agent.pictures.picture_page import STATIC, page
from tests.drawn_graphs import HOSTILE, graph
from tools.scope import Scope

PAGE = page(picture(graph(), None, [], Scope(), 1)).decode()


def test_documents_text_cannot_leave_its_block_and_is_read_back_whole() -> None:
    blocks = re.findall(r"<script([^>]*)>(.*?)</script>", PAGE, re.DOTALL)
    assert [attributes for attributes, _ in blocks] == [
        ' type="application/json" id="data"',
        ' type="module"',
    ]
    assert "<img" not in PAGE and "\u2028" not in PAGE
    assert HOSTILE in [node["name"] for node in json.loads(blocks[0][1])["nodes"]]


def test_the_policy_admits_the_pages_own_script_and_style_alone() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', PAGE)
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    (script,) = re.findall(r'<script type="module">(.*?)</script>', PAGE, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", PAGE, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert parts == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digests[0]}'",
        "style-src": f"'sha256-{digests[1]}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_pages_own_files_name_no_host_and_write_no_markup() -> None:
    for path in STATIC.iterdir():
        text = path.read_text("utf-8")
        assert set(re.findall(r"https?://[^\s\"'`)]+", text)) <= {"http://www.w3.org/2000/svg"}, path.name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), (
            path.name
        )
        assert not re.search(r"<[^>]*\s(?:style|on\w+)=", text), path.name
