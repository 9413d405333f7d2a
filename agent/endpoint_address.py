"""Where a model is asked: one OpenAI-compatible base URL, a model's name and a key that is never shown."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4.1-mini"
OPENAI_HOST = "api.openai.com"
NO_KEY = "none"
"""Sent where no key is set: the client insists on one, local servers ignore it."""
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
        """`text` without the key, otherwise as it is."""
        secret = self.key.get_secret_value() if self.key else ""
        return text.replace(secret, "[key]") if secret else text

    def scrub(self, text: str) -> str:
        """`text` on one line of printable characters, without the key, cut to what a message can hold."""
        text = self.without_key(text)
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return text if len(text) <= _WORDY else text[:_WORDY] + "…"


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
