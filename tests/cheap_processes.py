"""What makes the suite's processes, some thousands, cheap. To be imported before anything loads NumPy."""

from __future__ import annotations

import os
import sys

# Without bytecode each of them compiles what it imports: 400 modules of ours to answer one question.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# The processes share the cores, and a thread that waits for one whose core is taken spins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
