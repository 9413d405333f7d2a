"""Files of small models that come with a package: found without running the package's code, and read only if they
are the ones expected."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path


class ModelFileError(RuntimeError):
    """A model's file is missing or not the expected one; the message names the command that mends it."""


def file_in_package(package: str, file: str, requirement: str) -> Path:
    """The path of a file of an installed package, which is not imported. ModelFileError if it is not installed;
    `requirement` ('name==1.0') is what to install."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ModelFileError(f"{package} is not installed. Run: pip install {requirement}")
    return Path(found.origin).parent / file


def read_checked(path: Path, sha256: str, requirement: str) -> bytes:
    """The file's bytes, the very ones that were checked; ModelFileError if they are unexpected."""
    try:
        data = path.read_bytes()
    except OSError as error:
        message = f"Cannot read {path}: {error.strerror}. Run: pip install --force-reinstall {requirement}"
        raise ModelFileError(message) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelFileError(
            f"{path} is not the file of {requirement}: its SHA-256 differs. "
            f"Run: pip install --force-reinstall {requirement}"
        )
    return data
