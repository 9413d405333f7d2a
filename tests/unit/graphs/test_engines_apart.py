"""The steps, the contracts and the model engine stand without the local engine."""

from __future__ import annotations

import subprocess
import sys

WITHOUT_LOCAL = """
import importlib, importlib.abc, pkgutil, sys

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "graphs.local" or name.startswith("graphs.local."):
            raise ModuleNotFoundError(f"taken away: {name}")

sys.meta_path.insert(0, Gone())
import graphs
names = [found.name for found in pkgutil.iter_modules(graphs.__path__, "graphs.") if found.name != "graphs.local"]
for name in names:
    module = importlib.import_module(name)
    for found in pkgutil.iter_modules(getattr(module, "__path__", []), f"{name}."):
        importlib.import_module(found.name)
print(len([name for name in sys.modules if name.startswith(("graphs.steps.", "graphs.model."))]))
"""


def test_with_the_local_engine_taken_away_steps_and_model_engine_still_import() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LOCAL], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20
