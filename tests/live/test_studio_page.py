"""A real browser on a page of Studio's origin debugs the assistant; one on another page can do nothing."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.server import Studio, server

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium to debug with")
SCRIPT = (Path(__file__).parent / "studio_page.js").read_text(encoding="utf-8")
ELSEWHERE = "elsewhere.example"
STUDIO = "smith.langchain.com"
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run", "--ignore-certificate-errors"),
)


@pytest.fixture(scope="module")
def studio(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    home = Path(shutil.copytree(untouched_home, tmp_path_factory.mktemp("home") / "home"))
    with server(home, tmp_path_factory.mktemp("studio"), {"HYBRIDRAG_ENGINE": "local"}) as started:
        yield started


def test_studio_lists_asks_streams_resumes_and_forks(studio: Studio, tmp_path: Path) -> None:
    seen = seen_by_a_page_of(STUDIO, studio, tmp_path)
    assert "error" not in seen
    assert seen["graphs"] == ["ask", "assistant", "graph_rag", "hybrid_rag", "indexing", "vector_rag"]
    assert seen["drawn"] > 5 and "input_schema" in seen["schemas"] and "context_schema" in seen["schemas"]
    assert seen["asked"]["steps"][-1] == "__interrupt__" and seen["interrupted"] == "interrupted"
    assert seen["asked"]["where"].startswith("/threads/")  # the header that CORS must expose
    assert seen["resumed"]["steps"][-1] == "answer" and "59 million" in seen["resumed"]["answer"]
    assert "Calderith" in seen["forked"] and seen["threads"] == 1
    assert studio.client.threads.search() == []  # it deleted its own at the end


def test_a_page_from_elsewhere_makes_no_thread_and_reads_nothing(studio: Studio, tmp_path: Path) -> None:
    seen = seen_by_a_page_of(ELSEWHERE, studio, tmp_path)
    assert set(seen) == {"error"} and "Failed to fetch" in seen["error"]
    assert studio.client.threads.search() == []


def seen_by_a_page_of(host: str, studio: Studio, folder: Path) -> dict[str, Any]:
    """What the script has seen, run on a page of `https://host`, which is served here."""
    assert BROWSER is not None
    with page(host, folder) as (port, told):
        options = [*OPTIONS, f"--user-data-dir={folder / 'profile'}"]
        options += [f"--host-resolver-rules=MAP {host}:443 127.0.0.1:{port}"]
        address = f"https://{host}/?server={studio.address}"
        with (folder / "browser.log").open("wb") as log:
            browser = subprocess.Popen([BROWSER, *options, address], stdout=log, stderr=log)
        try:
            assert told.wait(120), (folder / "browser.log").read_text("utf-8", "replace")[-2000:]
        finally:
            browser.terminate()
            browser.wait(30)
    found: dict[str, Any] = json.loads((folder / "seen.json").read_text("utf-8"))
    return found


@contextmanager
def page(host: str, folder: Path) -> Iterator[tuple[int, threading.Event]]:
    """`https://host/` on a free port, with the script; the event is set once the script has told what it saw."""
    told = threading.Event()

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(f"<!doctype html><title>page</title><script>{SCRIPT}</script>".encode())

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            (folder / "seen.json").write_bytes(self.rfile.read(size))
            self._answer(b"")
            told.set()

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(host, folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as serving:
        serving.socket = context.wrap_socket(serving.socket, server_side=True)
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        try:
            yield serving.server_address[1], told
        finally:
            serving.shutdown()
            thread.join()


def certificate(host: str, folder: Path) -> Path:
    """A file with a key and a certificate of its own for `host`."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "page.pem"
    form = (
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(key.private_bytes(*form) + signed.public_bytes(serialization.Encoding.PEM))
    return path
