"""Reports of eval runs: those that stand in one folder, shown in a frame in which they can do nothing but draw."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from agent.errors import UsageError

REPORT = "report.html"
"""As `hybridrag eval run` calls it."""
MAX_DEPTH = 3
"""Folders below the named one that are looked into."""
HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    "Cache-Control": "no-store",
}
"""A report draws with scripts of its own: they have no origin, reach no address and may not leave the frame."""


class ReportGoneError(UsageError):
    """There is no such report in the folder."""

    def __init__(self) -> None:
        super().__init__("This report is not in the folder of reports any more.")


class Reports:
    """The routes of reports; none where no folder is named."""

    def __init__(self, folder: Path | None) -> None:
        """Raises UsageError where `folder` is none."""
        if folder is not None and not folder.is_dir():
            raise UsageError(f"'{folder}' is no folder: --reports names one in which eval runs stand.")
        self.folder = folder

    def routes(self) -> list[Route]:
        """All of them."""
        if self.folder is None:
            return []
        return [
            Route("/api/reports", self.listed, methods=["GET"]),
            Route("/api/reports/{path:path}", self.opened, methods=["GET"]),
        ]

    async def listed(self, request: Request) -> Response:
        """What there is, the newest first."""
        return JSONResponse(await run_in_threadpool(self._listed))

    def _listed(self) -> list[dict[str, Any]]:
        records = []
        for path, file in self._found().items():
            with suppress(FileNotFoundError):  # a run that is deleted meanwhile
                records.append(_record(path, file))
        return sorted(records, key=lambda each: (each["written"], each["path"]), reverse=True)

    async def opened(self, request: Request) -> Response:
        """One of them."""
        file = (await run_in_threadpool(self._found)).get(request.path_params["path"])
        if file is None:
            raise ReportGoneError
        return FileResponse(file, media_type="text/html", headers=HEADERS)

    def _found(self) -> dict[str, Path]:
        """Reports by the path of their run below the folder, '' for its own; no link is followed, and a path that can't
        be printed is left out."""
        assert self.folder is not None
        files = _files(self.folder, MAX_DEPTH)
        named = {"/".join(file.parent.relative_to(self.folder).parts): file for file in files}
        return {path: file for path, file in named.items() if path.isprintable()}


def _files(folder: Path, depth: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as found:
            entries = list(found)
    except (FileNotFoundError, PermissionError):  # deleted meanwhile, or nobody's business here
        return
    for entry in entries:
        if entry.name == REPORT and entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        elif depth and entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            yield from _files(Path(entry.path), depth - 1)


def _record(path: str, file: Path) -> dict[str, Any]:
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return {"path": path, "name": path or file.parent.resolve().name, "written": written.isoformat()}
