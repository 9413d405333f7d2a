"""What is done to the LangGraph server: kills, planted pickles, files and tools that it must not offer, bodies too
large to be a question."""

from __future__ import annotations

import http.client
import json
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evals.attacks.attack import Attack
from evals.attacks.server_kills import KILLS, NOTE, kills
from evals.attacks.serving import client_of, serving

PICKLES = (
    *("store.pckl", "store.vectors.pckl", ".langgraph_ops.pckl", ".langgraph_retry_counter.pckl"),
    *(f".langgraph_checkpoint.{number}.pckl" for number in (1, 2, 3)),
)
"""Files of `.langgraph_api/` that LangGraph's development server would read."""
LARGE = 1024 * 1024 + 1


class Marker:
    """An object whose pickle writes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.path, "executed")


def plant(folder: Path) -> dict[Path, bytes]:
    """Pickles that write a marker beside them, by path."""
    place = folder / ".langgraph_api"
    place.mkdir(parents=True, exist_ok=True)
    planted = {place / name: pickle.dumps(Marker(place / f"{name}.executed")) for name in PICKLES}
    for path, data in planted.items():
        path.write_bytes(data)
    return planted


def planted_pickles(folder: Path) -> list[str]:
    """Does a server that finds pickles read or write one?"""
    planted = plant(folder / "server")
    with serving(folder / "home", folder / "server") as served, client_of(served.address) as client:
        client.threads.create()
    return touched(planted)


def touched(planted: dict[Path, bytes]) -> list[str]:
    """Which planted pickles were read or written."""
    return [
        f"{path.name} was {what}"
        for path, data in planted.items()
        for what, happened in (
            ("executed", Path(f"{path}.executed").exists()),
            ("written", not path.exists() or path.read_bytes() != data),
        )
        if happened
    ]


def files_outside(folder: Path) -> list[str]:
    """Does the `indexing` graph read what does not lie below a named folder?"""
    inside = lay_out(folder)
    with serving(folder / "home", folder / "server", {"HYBRIDRAG_INDEX_ROOTS": str(inside)}) as served:
        broke = files_read(served.address, inside)
        found = indexed(served.address, [str(inside)])
        if [Path(each["file"]).name for each in found["files"] if each["state"] == "indexed"] != ["note.txt"]:
            broke.append(f"a folder with links: {found}")
    with serving(folder / "home", folder / "server") as served:
        found = indexed(served.address, [str(inside / "note.txt")])
        if "The server reads no files" not in found["error"]:
            broke.append(f"without a named folder: {found}")
    return broke


def lay_out(folder: Path) -> Path:
    """A folder with a note, and with links to another one beside it."""
    inside, outside = folder / "inside", folder / "inside-not"
    for place in (inside, outside):
        place.mkdir(parents=True)
        (place / "note.txt").write_text(NOTE, encoding="utf-8")
    (inside / "link.txt").symlink_to(outside / "note.txt")
    (inside / "folder").symlink_to(outside)
    (inside / "deep").mkdir()
    (inside / "deep" / "link.txt").symlink_to(outside / "note.txt")
    return inside


def files_read(address: str, inside: Path) -> list[str]:
    """What a server that may read below `inside`, a `lay_out`, reads besides."""
    outside = inside.with_name("inside-not")
    refused = [
        str(outside / "note.txt"),
        str(outside),
        str(inside.parent),
        "/",
        f"{inside}/../inside-not/note.txt",
        f"{inside}/folder/note.txt",
        f"{inside}/folder/../../inside-not/note.txt",
        str(inside / "link.txt"),
        str(inside / "folder"),
        str(inside / "deep" / "link.txt"),
        str(outside / "nothing-here.txt"),
        (outside / "note.txt").as_uri(),
        "langgraph.json",
        "",
    ]
    broke = []
    forms = [paths for path in refused for paths in ([path], [str(inside / "note.txt"), path])]
    with ThreadPoolExecutor(8) as pool:
        for paths, found in zip(forms, pool.map(lambda paths: indexed(address, paths), forms), strict=True):
            if found["files"] or not ("INDEX_ROOTS" in found["error"] or "link" in found["error"]):
                broke.append(f"{paths} was read: {found}")
    return broke


def indexed(address: str, paths: Sequence[str]) -> dict[str, Any]:
    """What the graph tells of a run."""
    with client_of(address) as client:
        given: Any = {"paths": list(paths)}
        found: Any = client.runs.wait(None, "indexing", input=given)
    return dict(found)


LARGE_PATHS = ("/runs/wait", "/threads", "/mcp", "/assistants/search", "/nowhere")


def large_bodies(folder: Path) -> list[str]:
    """Is a body of more than 1 MiB read?"""
    with serving(folder / "home", folder / "server") as served:
        return large_bodies_read(served.address)


def large_bodies_read(address: str) -> list[str]:
    """Those that a server does not refuse, or waits for."""
    broke = []
    for path in LARGE_PATHS:
        for told in (LARGE, 10**12, 10**15):  # not a byte of it is sent
            status = _status(address, path, {"Content-Length": str(told)}, b"")
            broke += [f"{path}, {told:,} bytes told: {status}"] * (status != 413)
        status = _status(address, path, {}, iter([b" " * 65_536] * 17))
        broke += [f"{path}, 17 chunks: {status}"] * (status != 413)
    if _status(address, "/threads", {"Content-Length": "2"}, b"{}") != 200:
        broke.append("a small body was refused")
    return broke


def _status(address: str, path: str, headers: dict[str, str], body: bytes | Iterator[bytes]) -> int | str:
    kind = {"Content-Type": "application/json"}
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)) as connection:
        try:
            if isinstance(body, bytes):
                connection.putrequest("POST", path)
                for name, value in {**kind, **headers}.items():
                    connection.putheader(name, value)
                connection.endheaders(body or None)
            else:
                connection.request("POST", path, body, kind, encode_chunked=True)
            with connection.getresponse() as reply:
                return reply.status
        except OSError as error:
            return f"{type(error).__name__}: {error}"


CLOSED = (
    *(("POST", path) for path in ("/deploy", "/deploy/", "/%64eploy", "/internal/truncate")),
    *(("GET", path) for path in ("/deploy", "/deploy/1/stream", "/internal/debug/thread/1")),
)
"""What LangGraph's development server does besides answering."""


def closed_paths(folder: Path) -> list[str]:
    """Does the server send the project away, drop its threads, or show what lies in memory?"""
    with serving(folder / "home", folder / "server") as served:
        return closed_paths_open(served.address)


def closed_paths_open(address: str) -> list[str]:
    """Those that a server answers."""
    broke = []
    for method, path in CLOSED:
        with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)) as connection:
            connection.request(method, path, "{}", {"Content-Type": "application/json", "Origin": STUDIO})
            with connection.getresponse() as reply:
                broke += [f"{method} {path}: {reply.status}"] * (reply.status not in (403, 404, 405))
    return broke


STUDIO = "https://smith.langchain.com"
GRAPHS = ("assistant", "vector_rag", "graph_rag", "hybrid_rag", "indexing")
"""Those that are no tools unless a setting names them."""
NO_TOOLS = (*GRAPHS, "Ask", "", None, 3, ["ask"])


def other_tools(folder: Path) -> list[str]:
    """Are graphs tools that nobody named, and do the named ones tell what they do?"""
    with serving(folder / "home", folder / "server") as served:
        broke = tools_unnamed(served.address)
    with serving(folder / "home", folder / "server", {"HYBRIDRAG_MCP_GRAPHS": "ask, indexing"}) as served:
        listed = mcp(served.address, "tools/list")["result"]["tools"]
        hints = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in listed}
        return broke + [f"named: {hints}"] * (hints != {"ask": True, "indexing": False})


def tools_unnamed(address: str) -> list[str]:
    """Tools, besides `ask`, that a server without that setting lists or calls."""
    listed = {tool["name"] for tool in mcp(address, "tools/list")["result"]["tools"]}
    called = [(name, mcp(address, "tools/call", name=name, arguments={})) for name in NO_TOOLS]
    broke = [f"{name!r} was called: {told}" for name, told in called if "error" not in told]
    return broke + [f"listed: {sorted(listed)}"] * (listed != {"ask"})


def mcp(address: str, method: str, **params: Any) -> dict[str, Any]:
    """One JSON-RPC call."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request("POST", "/mcp", json.dumps(call), headers)
        with connection.getresponse() as reply:
            found: dict[str, Any] = json.loads(reply.read())
        return found


ATTACKS: Sequence[Attack] = (
    Attack("a server is killed while it answers", KILLS, kills),
    Attack("pickles lie where the server would read them", len(PICKLES), planted_pickles),
    Attack("files outside the named folders are to be indexed", 29, files_outside),
    Attack("graphs that are no tools are called over MCP", len(NO_TOOLS) + 2, other_tools),
    Attack("what a development server does besides is asked for", len(CLOSED), closed_paths),
    Attack("bodies over 1 MiB are sent", len(LARGE_PATHS) * 4, large_bodies),
)
