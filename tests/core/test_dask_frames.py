"""Dask DataFrames: the same values as in memory, wherever the rows lie and whoever dies."""

import random
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import porank as po
from tests.support.oracles_evaluation import random_table
from tests.support.refusals import refuses
from tests.support.workers import WITHOUT_PAGE

pytestmark = pytest.mark.slow

MEASURES = ["gamma", "completeness", "edrc", "m_auc"]
EVENTS = ("view", "view", "click", "purchase")
Columns = dict[str, list[Any]]
#: What they return depends on what they are given.
evaluate: Any = po.evaluate
preference_pairs: Any = po.preference_pairs


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one thread of this process do the work."""
    import dask

    monkeypatch.setitem(dask.config.config, "scheduler", "synchronous")


here = pytest.mark.usefixtures("_here")


def tables(seed: int = 1) -> tuple[Columns, Columns]:
    """Pairs as the target and scores as the prediction of some users, others on one side only."""
    rng = random.Random(seed)
    target = random_table("pairs", range(40), rng).columns()
    return target, random_table("score", range(3, 43), rng).columns()


def clicks(sessions: int = 50) -> Columns:
    """A log of sessions whose rows stand anywhere, with numbers for items."""
    rng = random.Random(5)
    rows = [
        (session * 7 % sessions, f"u{session % 5}", item, position, rng.choice(EVENTS))
        for session in range(sessions)
        for position, item in enumerate(rng.sample(range(12), rng.randint(1, 6)), 1)
    ]
    rng.shuffle(rows)
    names = ("session", "user", "item", "position", "event")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def frame(table: Columns, partitions: int = 4) -> Any:
    import pandas as pd

    dataframe = import_module("dask.dataframe")

    return dataframe.from_pandas(pd.DataFrame(table), npartitions=partitions, sort=False)


def assert_same(found: Any, whole: Any, by: list[str]) -> None:
    """Hold what Dask found against what was found in memory, group by group."""
    one, other = (
        each.sort_values(by, ignore_index=True) for each in (found.compute(), whole.to_frame())
    )
    assert len(one) > 0
    import pandas as pd

    pd.testing.assert_frame_equal(one, other, check_dtype=False, rtol=1e-12)
    assert found.dtypes.to_dict() == one.dtypes.to_dict()


def text(user: int) -> str:
    return f"ü{user}" if user % 3 else "-" * user


@here
@pytest.mark.parametrize("labels", [(text, text), (int, float)])
def test_evaluations_are_those_in_memory(labels: tuple[Callable[[int], Any], ...]) -> None:
    both = tables(2)
    for table, label in zip(both, labels, strict=True):
        table["day"] = [user % 3 for user in table["user"]]
        table["user"] = [label(user + 1) for user in table["user"]]
    by = ["day", "user"]
    whole = evaluate(*both, by=by, measures=MEASURES)
    assert np.isfinite(whole["gamma"]).any()
    assert_same(evaluate(*map(frame, both), by=by, measures=MEASURES), whole, by)


@here
def test_pairs_are_those_in_memory() -> None:
    log = clicks()
    plain = {name: column for name, column in log.items() if name != "event"}
    flags = plain | {"clicked": [int(each != "view") for each in log["event"]]}
    alone = {name: log[name] for name in ("session", "item")} | {"time": log["position"]}
    unsplit = log | {"time": [60.0 * number for number in range(len(log["item"]))]}
    del unsplit["session"]
    cases: list[tuple[Columns, dict[str, Any], str, list[str]]] = [
        (log, {}, "levels", ["user"]),
        (log, {}, "click_over_skip_above", ["session", "user"]),
        (log, {}, "click_over_skip_above", []),
        (flags, {}, "levels", []),
        (alone, {}, "click_over_earlier_click", []),
        (unsplit, {"gap": 400}, "levels", ["user"]),
    ]
    for source, options, rule, by in cases:
        whole, found = (
            preference_pairs(po.ClickLog(rows, **options), rule=rule, by=by)
            for rows in (source, frame(source))
        )
        assert_same(found, whole, [*by, "preferred", "other"])


@here
def test_bad_input_is_refused_in_words() -> None:
    target, predicted = tables()
    texts, log = predicted | {"user": [*map(text, predicted["user"])]}, frame(clicks())
    one, other, lists = frame(target), frame(predicted), frame({"shown": [[1]], "clicked": [[1]]})
    refuses("two Dask DataFrames, found a dict as predicted", evaluate, one, predicted)
    refuses("a column for shop, found 'user'", evaluate, one, other, by="shop")
    refuses("groups of one type on both sides, found int64 and", evaluate, one, frame(texts))
    refuses("a row for each event or item, found impressions", preference_pairs, lists)
    pairs = preference_pairs(po.ClickLog(log, events=["buy", "view"]))
    refuses("one of 'buy', 'view' as event, found", pairs.compute)
    earlier: Any = {"rule": "click_over_earlier_click"}
    refuses("a column for time, because Dask does not keep", preference_pairs, log, **earlier)
    refuses("one process, found a Dask DataFrame", po.from_log, log)


def dying(table: Columns, marker: Path, place: int) -> Any:
    """A frame whose partition at a place takes its worker with it when it is first read."""
    import pandas as pd

    dataframe = import_module("dask.dataframe")

    whole = pd.DataFrame(table)
    cuts = np.linspace(0, len(whole), 7).astype(int).tolist()

    # A function within a function goes to the workers as it is.
    def read(number: int) -> Any:
        import os
        import signal

        if number == place and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return whole.iloc[cuts[number] : cuts[number + 1]]

    return dataframe.from_map(read, range(6), meta=whole.iloc[:0])


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    target, predicted = tables(4)
    workers: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, **WITHOUT_PAGE}
    distributed = import_module("distributed")

    with distributed.LocalCluster(**workers) as cluster, distributed.Client(cluster):
        killing = dying(predicted, tmp_path / "killed", place=5)
        found = evaluate(frame(target), killing, measures=MEASURES)
        assert_same(found, evaluate(target, predicted, measures=MEASURES), ["user"])
        assert (tmp_path / "killed").exists()
        pairs = preference_pairs(dying(clicks(), tmp_path / "again", place=2), by="user")
        assert_same(pairs, preference_pairs(clicks(), by="user"), ["user", "preferred", "other"])
        assert (tmp_path / "again").exists()
