"""evals.learn_cross_encoder: what answers in the examples scores higher after learning."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from evals.low_rank import averaged

SIZES = {"layer.a": (6, 2), "layer.b": (2, 5), "pooler.bias": (4,)}
LEARN = """
import json
import numpy as np
from evals import learn_cross_encoder
from evals.learn_cross_encoder import Asked, learn_change, lower_states
from tools.ranking.cross_encoder import CrossEncoder
from tools.ranking.integer_cross_encoder import CLASSIFIER

questions = ("What did Orla pay for freight?", "How much was spent on freight by Orla?")
lines = ("The trucks were 31 million.", "Freight paid by Orla was a topic.")
learn_cross_encoder.FROM_LAYER = 10  # nearly all of the time goes to compile the layers that are learnt
change = learn_change(list(lower_states([Asked(each, lines, (True, False)) for each in questions * 4])))
learnt = {name: each.astype(np.float32) for name, each in change.items()}
print(json.dumps({
    "types": sorted({str(each.dtype) for each in change.values()}),
    "names": [name for name in change if name.startswith(CLASSIFIER)],
    "before": CrossEncoder(learnt={}).scores(questions[0], lines),
    "after": CrossEncoder(learnt=learnt).scores(questions[0], lines),
}))
"""


def test_the_average_of_two_changes_adds_half_of_what_each_adds() -> None:
    draw = np.random.default_rng(0)
    one, other = (
        {name: draw.normal(size=size).astype(np.float16) for name, size in SIZES.items()} for _ in range(2)
    )
    both = averaged(one, other)
    added = (one["layer.a"] @ one["layer.b"] + other["layer.a"] @ other["layer.b"]) / 2
    assert np.allclose(both["layer.a"] @ both["layer.b"], added, atol=0.02)
    assert np.allclose(both["pooler.bias"], (one["pooler.bias"] + other["pooler.bias"]) / 2, atol=0.01)


def test_a_line_that_answers_is_raised_above_one_that_shares_words() -> None:
    # in a process of its own: JAX starts threads, and other tests fork; compiled fast rather than to run fast
    flags = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    environment = {**os.environ, "XLA_FLAGS": flags}
    ran = subprocess.run(
        [sys.executable, "-c", LEARN], capture_output=True, text=True, check=True, env=environment
    )
    found = json.loads(ran.stdout)
    assert found["types"] == ["float16"] and len(found["names"]) == 2
    assert found["after"][0] - found["after"][1] > found["before"][0] - found["before"][1]
