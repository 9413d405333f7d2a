"""What an indexing run reads with: the recipe of its records, and the settings that reading processes start with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides
from tools.documents.read.child import DEFAULT_LIMITS, Limits
from tools.documents.read.parse import Splitter
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import TripletExtractor
from tools.store.disk.code_version import MODEL_READING, READING, READING_LIBRARIES, code_version
from tools.store.reading.flags import overrides_to_json
from tools.store.reading.model_broker import Models
from tools.store.reading.plan import RecipeKey
from tools.store.reading.worker import describe_factory
from tools.vector.embeddings import Embedder, LocalEmbeddings

NO_MODELS = Models()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How documents are read."""

    embedder_factory: Callable[..., Embedder] = LocalEmbeddings
    """Factories are classes or functions that a reading process can import, or `partial`s of such."""
    extractor_factory: Callable[..., TripletExtractor] = LocalExtractor
    """Of an extractor that asks no model; unused where `models` has a chat model."""
    overrides: Overrides = NO_OVERRIDES
    """What the user says of all files of the run, above what was said of each in earlier ones."""
    forget_flags: bool = False
    """Drop what was said of these files in earlier runs."""
    limits: Limits = DEFAULT_LIMITS
    splitter: Splitter = "structure"
    models: Models = NO_MODELS

    @property
    def embedder_id(self) -> str:
        """Of the vectors that are made."""
        remote = self.models.embedder
        return remote.id if remote is not None else self.embedder_factory().id

    def start(self, home: Path) -> dict[str, Any]:
        """The first message to a reading process."""
        chat, remote = self.models.chat, self.models.embedder
        return {
            "home": str(home.absolute()),
            "splitter": self.splitter,
            "limits": asdict(self.limits),
            "embedder": describe_factory(self.embedder_factory) if remote is None else {"asked": remote.id},
            "extractor": self._extractor(),
            "chat": None if chat is None else chat.id,
            "asking": {"threads": self.models.at_once, "reply_tokens": self.models.reply_tokens},
        }

    def key(self) -> RecipeKey:
        """All but the file that a record depends on."""
        return RecipeKey(
            overrides=overrides_to_json(self.overrides),
            splitter=self.splitter,
            code=code_version(READING, READING_LIBRARIES),
            extractor=str(self._extractor()),
            embedder=self.embedder_id,
            forget_flags=self.forget_flags,
        )

    def _extractor(self) -> dict[str, Any]:
        chat = self.models.chat
        if chat is None:
            return describe_factory(self.extractor_factory)
        from tools.knowledge.extract.model_extractor import ModelExtractor, prompt_versions

        passes = self.models.passes
        made_by = f"{chat.id}; prompts {prompt_versions(passes)}; code {code_version(MODEL_READING, ())}"
        return describe_factory(partial(ModelExtractor, passes=passes, made_by=made_by))
