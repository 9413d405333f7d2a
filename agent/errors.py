"""Which errors are the user's mistake (exit code 2) and which are ours (1)."""

from __future__ import annotations

from agent.settings import SettingsError
from graphs.input_error import InputError
from graphs.steps.filters import UncoveredPeriodError, UnknownCompanyError, UnknownDocumentError
from tools.documents.errors import DocumentError
from tools.model.types import ModelError
from tools.recommend.errors import DivergedError, InteractionFileError
from tools.store.errors import StoreError, UserStoreError


class UsageError(ValueError):
    """An argument or a batch line that can't be used."""


USER_MISTAKES: tuple[type[Exception], ...] = (
    UsageError,
    DocumentError,
    InputError,
    InteractionFileError,
    SettingsError,
    UncoveredPeriodError,
    UnknownCompanyError,
    UnknownDocumentError,
    UserStoreError,
)
OUR_FAILURES: tuple[type[Exception], ...] = (StoreError, ModelError, DivergedError, OSError)
