from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from evals import kills
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tests.warm_processes import MAY_BE_WARM

RUN = f"""{MAY_BE_WARM}
import sys
from pathlib import Path
from tests.light_index import index_light
index_light(Path(sys.argv[1]), [Path(sys.argv[2])], apart=True, workers=2)
"""


def start(home: Path, documents: Path) -> subprocess.Popen[bytes]:
    """A run to be killed, with the stand-ins: with the real models most kills would only meet them being loaded."""
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(home), str(documents)],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )


@pytest.mark.timeout(280)
def test_kills_at_random_moments_cost_only_the_work_in_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexing = partial(index_light, apart=True)
    for name, light in (("_start", start), ("index_paths", indexing), ("LocalEmbeddings", HashEmbedder)):
        monkeypatch.setattr(kills, name, light)
    tally = kills.run_kills(tmp_path, kills=4, seed=20, rerun_every=2)
    assert tally.kills == {"group": 2, "parent": 2}
    assert tally.reruns >= 2
