"""The import name: what a program needs to index, ask and read answers, and nothing of its own.

Imports `agent` and the rooms below it, each name when it is first used, so that `import hybridrag` loads nothing.
The other folders come along when the project is installed and are no interface: they may change with any version.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.assistant import Assistant as Assistant
    from agent.errors import OUR_FAILURES as OUR_FAILURES
    from agent.errors import USER_MISTAKES as USER_MISTAKES
    from agent.settings import Settings as Settings
    from agent.settings import SettingsError as SettingsError
    from graphs.contracts import Answer as Answer
    from graphs.contracts import Citation as Citation
    from graphs.contracts import Statement as Statement
    from graphs.contracts import Verdict as Verdict
    from graphs.input_error import InputError as InputError
    from graphs.steps.filters import UncoveredPeriodError as UncoveredPeriodError
    from graphs.steps.filters import UnknownCompanyError as UnknownCompanyError
    from tools.documents.errors import DocumentError as DocumentError
    from tools.documents.metadata.document_metadata import Overrides as Overrides
    from tools.evidence import Evidence as Evidence
    from tools.store.errors import IndexMissingError as IndexMissingError
    from tools.store.errors import StoreError as StoreError
    from tools.store.reading.report import IndexReport as IndexReport
    from tools.store.reading.report import RemovalReport as RemovalReport

    __version__: str

_PLACES = {
    "Assistant": "agent.assistant",
    "OUR_FAILURES": "agent.errors",
    "USER_MISTAKES": "agent.errors",
    "Settings": "agent.settings",
    "SettingsError": "agent.settings",
    "Answer": "graphs.contracts",
    "Citation": "graphs.contracts",
    "Statement": "graphs.contracts",
    "Verdict": "graphs.contracts",
    "InputError": "graphs.input_error",
    "UncoveredPeriodError": "graphs.steps.filters",
    "UnknownCompanyError": "graphs.steps.filters",
    "DocumentError": "tools.documents.errors",
    "Overrides": "tools.documents.metadata.document_metadata",
    "Evidence": "tools.evidence",
    "IndexMissingError": "tools.store.errors",
    "StoreError": "tools.store.errors",
    "IndexReport": "tools.store.reading.report",
    "RemovalReport": "tools.store.reading.report",
}
"""Name -> the module that it is told on from: once more what type checkers read above."""

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    """A name that is not loaded yet (PEP 562). AttributeError for one that is not told on."""
    if name == "__version__":
        from importlib.metadata import version

        return version("hybridrag")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
