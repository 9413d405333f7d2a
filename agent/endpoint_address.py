"""Where a model is asked: one OpenAI-compatible base URL, a model's name and a key that is never shown."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from tools.documents.text.control_sequences import without_sequences

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4.1-mini"
OPENAI_HOST = "api.openai.com"
NO_KEY = "none"
"""Sent where no key is set: the client insists on one, local servers ignore it."""
KEY_RUN = 8
"""Characters of a key in a row that are taken for a part of it."""
_CHARACTER = re.compile(r"\\u([0-9A-Fa-f]{4})|(.)", re.DOTALL)
"""As it stands or as JSON may write it."""
_WORDY = 300
"""Characters of an endpoint's own words that an error message quotes."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint and the model to ask there."""

    base_url: str
    """Without a slash at its end; checked by `check_base_url`."""
    model: str
    key: SecretStr | None = None

    @property
    def host(self) -> str:
        """Host and port, for messages."""
        return urlsplit(self.base_url).netloc

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a key belongs to."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}".lower()

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own."""
        return urlsplit(self.base_url).hostname == OPENAI_HOST

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine: no proxy stands between."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    def without_key(self, text: str) -> str:
        """`text` without the key and whatever part of it is `KEY_RUN` characters long, otherwise as it is.

        Escapes of JSON and characters that nobody sees do not hide a key: they are read, or read over.
        """
        secret = self.key.get_secret_value() if self.key else ""
        if not secret:
            return text
        read = [
            (character, found.span())
            for found in _CHARACTER.finditer(text)
            if (character := chr(int(found[1], 16)) if found[1] else found[2]).isprintable()
        ]
        plain = "".join(character for character, _ in read)
        length = min(KEY_RUN, len(secret))
        runs = {secret[at : at + length] for at in range(len(secret) - length + 1)}
        parts = {at for run in runs for at in _places(run, plain)}
        shown, end = [], 0
        for at in sorted(parts):
            start = read[at][1][0]
            if start >= end:
                shown.append(text[end:start] + ("" if end and start == end else "[key]"))
            end = read[at + length - 1][1][1]
        return "".join(shown) + text[end:]

    def scrub(self, text: str) -> str:
        """`text` on one line of printable characters, without the key, cut to what a message can hold."""
        text = self.without_key(without_sequences(text))
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return text if len(text) <= _WORDY else text[:_WORDY] + "…"


def _places(run: str, text: str) -> Iterator[int]:
    """Where `run` begins in `text`, overlapping ones too."""
    at = text.find(run)
    while at >= 0:
        yield at
        at = text.find(run, at + 1)


def check_base_url(url: str, *, allow_http: bool = False) -> str:
    """`url` without a slash at its end. ValueError, in words for the user, unless it is https, http on
    loopback, or http with `allow_http`."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"is not a URL ({error})") from error
    if parts.scheme not in ("http", "https"):
        raise ValueError("needs a scheme, as in https://host/v1 or http://127.0.0.1:8080/v1")
    if not host:
        raise ValueError("names no host")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or a password; keys have their own setting")
    if parts.query or parts.fragment:
        raise ValueError("must not hold a query or a fragment")
    if parts.scheme == "http" and not (allow_http or is_loopback(host)):
        raise ValueError(
            "would send documents and key unencrypted; use https, or set HYBRIDRAG_LLM_ALLOW_HTTP=true"
        )
    return url.rstrip("/")


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
