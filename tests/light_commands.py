"""`evals.attacks.faults` with vectors written in the process itself: for kills and refused writes at many points."""

from __future__ import annotations

import chromadb  # noqa: F401 - this and bm25s take longer to load than all else: once, for all forks

from evals.attacks.faults import main
from tests.vectors_here import vectors_in_this_process
from tools.private_files import keep_others_out
from tools.vector.keywords import load_bm25s

if __name__ == "__main__":
    keep_others_out()  # as the process does that writes them for users
    load_bm25s()
    with vectors_in_this_process():
        main()
