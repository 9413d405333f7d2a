"""tools.recommend.training and inference: what is learnt from small histories, stopped, stored and asked again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.histories import histories_of
from tools.recommend.inference import WEIGHTS, load
from tools.recommend.training import train
from tools.recommend.types import Event, Histories, Past
from tools.recommend.weights import DRAFT, VERSION, WeightsError, read, write

USERS, ITEMS, DAY = 40, 23, 86_400.0
LEARN = """
import hashlib, json, shutil, sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import jax
import numpy as np

from tests.unit.tools.recommend.test_training import ITEMS, USERS, by_time, cycle, permuted, with_last_ones_repeated
from tools.recommend import training
from tools.recommend.batches import batches, pieces_of
from tools.recommend.descent import Descent, _pooled, contrast, distance, loss, missed
from tools.recommend.errors import DivergedError
from tools.recommend.held_out import without_last
from tools.recommend.inference import GIVEN
from tools.recommend.layers import unchanged
from tools.recommend.presets import Ablation, Settings
from tools.recommend.sequences import packed
from tools.recommend.tgcl4sr import predicted, start
from tools.recommend.titg import neighbourhoods_of, titg_of
from tools.recommend.training import STATE, trained
from tools.recommend.weights import read, write

FOLDER = Path(sys.argv[1])
SIZES = dict(width=16, length=10, blocks=1, rate=2e-2, rising=3, patience=12, edge_width=4)
BATCHES = dict(places=256, first_places=256, neighbours=3)
MODELS = {
    "sasrec": Settings("sasrec", dropout=0.1, epochs=12, **SIZES, **BATCHES),
    "tgcl4sr": Settings("tgcl4sr", dropout=0.0, epochs=7, first_epochs=3, **SIZES, **BATCHES),
}
found = {}


class Stopped(Exception):
    pass


def stop(told):
    if told.epoch in (2, 5):  # before and after the graph comes in
        raise Stopped


def digest(folder):
    return hashlib.sha256((folder / "weights.npz").read_bytes()).hexdigest()


for name, settings in MODELS.items():
    told = []
    learned = trained(cycle(), settings, 0, FOLDER / name, told.append)
    stops = 0
    while not (FOLDER / f"{name}_stopped" / "weights.npz").exists():
        try:
            trained(cycle(), settings, 0, FOLDER / f"{name}_stopped", stop)
        except Stopped:
            stops += 1
    again = []
    trained(cycle(), settings, 0, FOLDER / name, again.append)
    pasts = [cycle().past(user) for user in range(9)]
    rows = packed(pasts, settings.interval_scale, settings.interval_highest, settings.length)
    views = None if learned._views is None else (learned._views, learned._views)
    asked = jax.jit(lambda given, *rest: predicted(given, settings, *rest, unchanged))
    states = asked(learned._given, *rows[:3], views)
    scores = states.reshape(-1, settings.width)[rows.ends] @ learned._given["items"].T
    found[name] = {
        "stops": stops, "epochs": [each.epoch for each in told], "trained again": len(again),
        "lost": [each.lost for each in told],
        "digests": [digest(FOLDER / name), digest(FOLDER / f"{name}_stopped")],
        "left": sorted(path.name for path in (FOLDER / f"{name}_stopped").iterdir()),
        "apart": float(np.abs(np.asarray(scores) - learned.scores(pasts)).max()),
    }


def first_epoch(histories, folder):
    told = []

    def stop(each):
        told.append(each)
        raise Stopped

    try:
        trained(histories, MODELS["sasrec"], 0, FOLDER / folder, stop)
    except Stopped:
        pass
    return told


found["repeated"] = first_epoch(with_last_ones_repeated(cycle()), "repeated")[0].held_out
header, arrays = read(FOLDER / "repeated" / STATE)
arrays[f"{GIVEN}items"] *= np.nan
write(FOLDER / "repeated" / STATE, header, arrays)
try:
    first_epoch(with_last_ones_repeated(cycle()), "repeated")
except DivergedError as error:
    found["diverged"] = str(error)
shutil.copytree(Path(training.__file__).parent, FOLDER / "code")
training.__file__ = str(FOLDER / "code" / "training.py")
found["trained again, same code"] = len(first_epoch(cycle(), "sasrec"))
with open(FOLDER / "code" / "tgcl4sr.py", "a") as file:
    file.write("# other code")
found["trained again, other code"] = len(first_epoch(cycle(), "sasrec"))


def right(histories):
    model = trained(histories, MODELS["tgcl4sr"], 0)
    users = range(len(histories.users))
    scores = model.scores([histories.past(user, 1) for user in users])
    names = histories.items
    last = [histories.past(user).items[-1] for user in users]
    wrong = [names.index({"short": "long", "long": "short"}[names[item]]) for item in last]
    return float(np.mean(scores[np.arange(len(last)), last] > scores[np.arange(len(last)), wrong]))


def losses():  # of one batch when nothing but intervals is learnt, for each thing that is left out
    values, told, plain = {}, {}, replace(MODELS["tgcl4sr"], likeness=0.0)
    changes = {"nothing": {}, "contrasts": dict(contrast=0.0), "likeness": dict(likeness=0.05)}
    changes |= {each: dict(ablation=each) for each in get_args(Ablation)}
    pieces, around = list(pieces_of(cycle(), plain.length)), neighbourhoods_of(titg_of(without_last(cycle(), 1)))
    for name, changed in changes.items():
        settings, draw = replace(plain, **changed), np.random.default_rng(0)
        told[name] = batch = next(batches(pieces, settings, around, draw))
        batch = batch if settings.with_graph else batch._replace(edges=None)
        given = start(settings, ITEMS, USERS, np.random.default_rng(0))
        if settings.with_intervals:
            given["intervals"] = np.random.default_rng(1).normal(0, 0.02, given["intervals"].shape).astype("f")
        with jax.disable_jit():
            values[name] = float(loss(given, batch, jax.random.key(0), settings))
    return values, told["nothing"]


def plainly_missed(values, table, nexts, weights):
    shares = jax.nn.log_softmax(values @ table.T)
    return -(shares[np.arange(len(nexts)), nexts] * weights).sum()


def missed_apart():
    draw = np.random.default_rng(0)
    values, table = (jax.numpy.asarray(draw.normal(size=(count, 8)), "f") for count in (512, 11))
    rest = draw.integers(0, 11, 512), (draw.random(512) < 0.7).astype("f")
    both = [
        jax.value_and_grad(lambda *given: 3 * lost(*given, *rest), (0, 1))(values, table)
        for lost in (missed, plainly_missed)
    ]
    return max(float(np.abs(np.asarray(a) - b).max()) for a, b in zip(*map(jax.tree.leaves, both)))


def pooled_apart(batch):
    seen = np.random.default_rng(0).normal(size=(4, ITEMS, 3)).astype("f")
    means, present = map(np.asarray, _pooled(seen, batch))
    owners = np.unique(batch.owners[batch.owners >= 0])
    expected = [seen[:, batch.items[batch.owners == owner]].mean(axis=1) for owner in owners]
    assert np.flatnonzero(present).tolist() == owners.tolist()
    return float(np.abs(means[:, owners] - np.stack(expected, axis=1)).max())


def averages_apart():
    settings = MODELS["sasrec"]
    begun = start(settings, ITEMS, USERS, np.random.default_rng(0))
    descent, expected, seen = Descent(settings, begun), begun["items"], []
    [batch, *_] = batches(list(pieces_of(cycle(), settings.length)), settings, None, np.random.default_rng(0))
    for step, kept in enumerate((1 / 10, 2 / 11, 3 / 12)):
        descent.step(batch, 0, step)
        expected = kept * expected + (1 - kept) * np.asarray(descent.given["items"])
    return float(np.abs(np.asarray(descent.averaged["items"]) - expected).max())


found["averages apart"] = averages_apart()
found["losses"], batch = losses()
found["missed apart"], found["pooled apart"] = missed_apart(), pooled_apart(batch)
present = np.array([True, True, False])
found["contrast"] = float(contrast(np.eye(3), 2 * np.eye(3), present, 0.5))
found["distances"] = [float(distance(np.zeros((1, 1)), np.full((1, 1), at))) for at in (0.0, 1.0)]
found["by time"] = [right(by_time()), right(permuted(by_time()))]
print(json.dumps(found))
"""


def cycle() -> Histories:
    """One item always leads to the next."""
    return histories_of(
        Event(f"u{user}", 1e9 + user * DAY + place * DAY * (1 + user % 3), f"i{(user + place) % ITEMS}")
        for user in range(USERS)
        for place in range(8)
    )


def by_time() -> Histories:
    """What follows 'close' depends on how long ago 'open' was, and on nothing else."""
    draw, events = np.random.default_rng(0), []
    for user in range(USERS):
        time = 1e9 + draw.random() * 30 * DAY
        for _ in range(3):
            quick = draw.random() < 0.5
            for item, gap in (
                (f"n{draw.integers(19)}", 3 * DAY),
                ("open", 3 * DAY),
                ("close", 600.0 if quick else 20 * DAY),
                ("short" if quick else "long", DAY),
            ):
                time += gap
                events.append(Event(f"u{user}", time, item))
    return histories_of(events)


def permuted(histories: Histories) -> Histories:
    """The same events in the same order; the times between them are those of other events of the user."""
    draw, times = np.random.default_rng(1), histories.times.copy()
    for begin, end in zip(histories.starts[:-1], histories.starts[1:], strict=True):
        times[begin + 1 : end] = times[begin] + np.cumsum(draw.permutation(np.diff(times[begin:end])))
    return Histories(histories.users, histories.items, histories.starts, histories.ids, times)


def with_last_ones_repeated(histories: Histories) -> Histories:
    """Everybody does last what they did first."""
    ids = histories.ids.copy()
    ids[histories.starts[1:] - 1] = ids[histories.starts[:-1]]
    return replace(histories, ids=ids)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("learnt")


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    # in a process of its own: JAX starts threads, and other tests fork; compiled fast rather than to run fast
    flags = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    ran = subprocess.run(
        [sys.executable, "-c", LEARN, str(folder)],
        capture_output=True, text=True, check=True, env={**os.environ, "XLA_FLAGS": flags},
    )  # fmt: skip
    result: dict[str, Any] = json.loads(ran.stdout)
    return result


MODELS = pytest.mark.parametrize("model", ["sasrec", "tgcl4sr"])


@MODELS
def test_what_always_follows_is_learnt(found: dict[str, Any], folder: Path, model: str) -> None:
    learned = load(folder / model, cycle().items)
    assert learned.name == model
    ids = np.arange(ITEMS)[:, None] + np.arange(-6, 1)
    asked = [
        Past((row % ITEMS).astype(np.int32), 2e9 + DAY * np.arange(7, dtype=np.float64)) for row in ids
    ]  # by nobody known
    scores = learned.scores(asked)
    np.put_along_axis(scores, ids % ITEMS, -np.inf, axis=1)  # of what was not done before
    assert scores.argmax(axis=1).tolist() == [(item + 1) % ITEMS for item in range(ITEMS)]
    assert found[model]["lost"][-1] < found[model]["lost"][0]


@MODELS
def test_a_training_that_was_stopped_goes_on_to_the_same_bytes(found: dict[str, Any], model: str) -> None:
    assert found[model]["stops"] == 2
    assert len(set(found[model]["digests"])) == 1
    assert found[model]["left"] == [WEIGHTS]


@MODELS
def test_what_was_trained_already_is_not_trained_again(found: dict[str, Any], model: str) -> None:
    assert found[model]["epochs"] and found[model]["trained again"] == 0


def test_what_was_trained_by_other_code_is_trained_again(found: dict[str, Any]) -> None:
    assert (found["trained again, same code"], found["trained again, other code"]) == (0, 1)


def test_a_last_item_that_was_seen_before_is_not_found_by_masking_it(found: dict[str, Any]) -> None:
    assert found["repeated"] == 0.0


def test_a_training_that_diverged_is_told_in_words(found: dict[str, Any]) -> None:
    assert found["diverged"].startswith(
        "The training of sasrec with seed 0 diverged in epoch 2: its loss is no number"
    )


@MODELS
def test_numpy_scores_as_jax_does(found: dict[str, Any], model: str) -> None:
    assert found[model]["apart"] < 1e-5


def test_where_time_decides_permuted_times_lose(found: dict[str, Any]) -> None:
    real, control = found["by time"]
    assert real > 0.9 and control < real - 0.2


def test_what_is_missed_and_its_slopes_are_those_of_a_plain_softmax(found: dict[str, Any]) -> None:
    assert found["missed apart"] < 1e-3


def test_what_is_asked_is_the_running_average_of_the_weights(found: dict[str, Any]) -> None:
    assert found["averages apart"] < 1e-6


def test_a_view_of_a_history_is_the_mean_over_its_own_items(found: dict[str, Any]) -> None:
    assert found["pooled apart"] < 1e-6


def test_a_contrast_holds_a_row_against_those_that_are_present(found: dict[str, Any]) -> None:
    assert found["contrast"] == pytest.approx(np.log(1 + np.exp(-2)))  # cosines 1 and 0 over tau 0.5


def test_the_distance_of_two_sets_is_by_three_kernels(found: dict[str, Any]) -> None:
    between = np.exp([-1 / (0.5 * width) for width in (0.25, 1.0, 4.0)]).sum()
    assert found["distances"] == pytest.approx([0, 2 * 3 - 2 * between])


def test_an_ablation_leaves_out_its_part_of_the_loss_and_nothing_else(found: dict[str, Any]) -> None:
    of = found["losses"]
    assert of["nothing"] - of["sgcl"] == pytest.approx(of["dgcl"] - of["contrasts"], rel=1e-3)
    assert of["sgcl"] < of["nothing"]
    assert of["contrasts"] < of["dgcl"] < of["nothing"] < of["likeness"]
    assert of["tgcl"] == pytest.approx(of["contrasts"], rel=1e-3)  # the views say nothing yet
    assert len({round(of[each], 4) for each in ("nothing", "titconv", "interval")}) == 3


def test_answers_need_no_jax(found: dict[str, Any], folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tools.recommend.inference import load; import numpy as np\n"
        "from tools.recommend.types import Past; import tools.recommend.training\n"
        f"load(Path({str(folder / 'tgcl4sr')!r}), {cycle().items!r}).scores([Past(np.array([1]), np.array([1e9]))])\n"
        "assert not {'jax', 'optax'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_weights_of_other_items_are_refused(found: dict[str, Any], folder: Path) -> None:
    with pytest.raises(WeightsError, match="other items than these 23"):
        load(folder / "sasrec", cycle().items[::-1])


def test_weights_of_another_version_are_refused(found: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    header, arrays = read(folder / "sasrec" / WEIGHTS)
    write(tmp_path / WEIGHTS, {**header, "version": VERSION + 1}, arrays)
    with pytest.raises(WeightsError, match=f"version {VERSION + 1}, this one reads {VERSION}"):
        load(tmp_path, cycle().items)
    write(tmp_path / WEIGHTS, {**header, "settings": {"model": "sasrec"}}, arrays)
    with pytest.raises(WeightsError, match="another version"):
        load(tmp_path, cycle().items)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nothing", None])
def test_altered_weights_are_refused(
    found: dict[str, Any], folder: Path, tmp_path: Path, content: bytes | None
) -> None:
    whole = (folder / "sasrec" / WEIGHTS).read_bytes()
    (tmp_path / WEIGHTS).write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(WeightsError, match="Altered or not weights"):
        load(tmp_path, cycle().items)


def test_a_pickle_is_not_opened(tmp_path: Path) -> None:
    np.savez(tmp_path / WEIGHTS, header=np.array([{"version": VERSION}], dtype=object))
    with pytest.raises(WeightsError, match="Altered or not weights"):
        load(tmp_path, ["a"])


def test_the_same_content_is_written_to_the_same_bytes_for_the_owner_alone(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "other"):
        write(tmp_path / name, {"key": "k"}, {"a": np.arange(3)})
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert len(digests) == 1 and sorted(path.name for path in tmp_path.iterdir()) == ["one", "other"]


def test_neither_a_kill_nor_a_full_disk_leaves_half_written_weights_behind(tmp_path: Path) -> None:
    (tmp_path / DRAFT).write_bytes(b"half of it")
    write(tmp_path / "one", {}, {"a": np.arange(3)})
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write(tmp_path / "taken", {}, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "taken"]


@pytest.mark.parametrize(
    ("users", "items", "events"),
    [(1, 7, 9), (9, 1, 9), (9, 7, 2), (0, 1, 0)],
    ids=["one user", "one item", "two events each", "nobody"],
)
def test_histories_that_nothing_can_be_learnt_from_are_refused_in_words(
    users: int, items: int, events: int
) -> None:
    histories = histories_of(
        Event(f"u{user}", float(place), f"i{place % items}")
        for user in range(users)
        for place in range(events)
    )
    with pytest.raises(
        ValueError, match=f"Nothing to learn from {users * events} events of {users} users with"
    ):
        train(histories)


def test_a_graph_of_one_user_is_refused_in_words() -> None:
    events = [Event("u", float(place), f"i{place}") for place in range(9)]
    with pytest.raises(ValueError, match="three events of 2 of the users are needed"):
        train(histories_of([*events, Event("v", 0.0, "i0")]), "tgcl4sr")
