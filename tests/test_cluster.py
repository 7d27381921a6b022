"""Schedulers that do not answer, and workers that die."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank.core import workers as cluster
from tests.workers import Here

if TYPE_CHECKING:
    from pathlib import Path

distributed = pytest.importorskip("distributed")


@pytest.mark.parametrize(
    ("scheduler", "message"),
    [
        ("tcp://127.0.0.1:9", "a Dask scheduler at 'tcp://127.0.0.1:9', found none: .*starts one"),
        ("nonsense://here", "a Dask scheduler at 'nonsense://here', found none: unknown address"),
        ("tls://127.0.0.1:9", "a Dask scheduler at 'tls://127.0.0.1:9', found none"),
        (7, "the address of a Dask scheduler or a distributed.Client as scheduler, found 7"),
    ],
)
def test_schedulers_that_do_not_answer(
    scheduler: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 0.3)
    with pytest.raises(po.PorankError, match=message), cluster.connected(scheduler):
        pass


@pytest.mark.parametrize(
    "address", ["foo", "", "tcp://", "x:y", "nonsense://here:1", "tls://127.0.0.1:9"]
)
def test_for_what_is_no_address_no_client_is_begun(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that could not begin complained after the error, or kept the process for seconds."""
    begun: list[Any] = []
    monkeypatch.setattr(distributed, "Client", lambda *given, **_: begun.append(given))
    with (
        pytest.raises(po.PorankError, match=f"a Dask scheduler at '{address}', found none"),
        cluster.connected(address),
    ):
        pass
    assert begun == []


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 0.3)
    nobody = distributed.LocalCluster(n_workers=0, processes=False, **cluster.WITHOUT_PAGE)
    with (
        nobody,
        pytest.raises(po.PorankError, match=r"expected workers at .* 'dask worker "),
        cluster.connected(nobody.scheduler_address),
    ):
        pass


def test_a_client_that_does_not_wait_is_refused() -> None:
    class Asynchronous(distributed.Client):  # type: ignore[misc,name-defined]
        asynchronous = True

        def __init__(self) -> None:
            """Connect to nothing."""

        def __del__(self) -> None:
            """Close nothing."""

    with (
        pytest.raises(po.PorankError, match=r"a distributed.Client that waits, found an asynchr"),
        cluster.connected(Asynchronous()),
    ):
        pass


class Mortal:
    """A client whose workers die of each task but the first."""

    def __init__(self) -> None:
        self.cancelled: list[Any] = []

    def compute(self, tasks: list[Any]) -> list[Any]:
        return [SimpleNamespace(result=task) for task in tasks]

    def cancel(self, futures: list[Any]) -> None:
        self.cancelled += futures


def die() -> None:
    scheduler = pytest.importorskip("distributed.scheduler")
    raise scheduler.KilledWorker("task", SimpleNamespace(address="tcp://there"), 3)


def test_workers_that_die_again_and_again_are_told() -> None:
    client = Mortal()
    results = cluster.in_sequence(client, [lambda: 7, die, die])
    assert next(results) == 7
    with pytest.raises(po.PorankError, match=r"several that died of the same task, .* tcp://there"):
        next(results)
    assert len(client.cancelled) == 1


def test_workers_of_its_own_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet, arrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    monkeypatch.setattr(cluster, "_client_there", lambda _: None)
    started = []

    def start(**options: Any) -> Any:
        assert options.pop("processes")
        started.append(LocalCluster(n_workers=1, processes=False, **options))
        return started[0]

    LocalCluster = distributed.LocalCluster
    monkeypatch.setattr(distributed, "LocalCluster", start)
    log = {"session": [1, 1], "item": ["a", "b"], "event": ["view", "click"]}
    path = tmp_path / "log.parquet"
    parquet.write_table(arrow.table(log), path)
    assert po.preference_pairs(path, engine="dask") == po.preference_pairs(log)
    assert started[0].status == distributed.Status.closed


def test_an_error_is_handed_on_and_raised_once() -> None:
    asked: list[int] = []

    def halves(value: int) -> list[int]:
        asked.append(value)
        if value % 2:
            raise po.PorankError(f"expected an even number, found {value}")
        return [value // 2, value // 2]

    def total(given: tuple[list[int], str]) -> int:
        return sum(given[0])

    split, add = cluster.delayed_task(halves), cluster.delayed_task(total)
    tasks = [
        add(([split(value)[0] for value in values], "halves"))
        for values in ((2, 4), (6, 7, 9), (8,))
    ]
    results = cluster.in_sequence(Here(), tasks)
    assert next(results) == 3
    with pytest.raises(po.PorankError, match="an even number, found 7"):
        next(results)
    assert sorted(asked) == [2, 4, 6, 7, 8, 9]


def test_what_is_no_error_of_ours_is_not_caught() -> None:
    task = cluster.delayed_task(divmod)
    with pytest.raises(ZeroDivisionError):
        next(cluster.in_sequence(Here(), [task(1, 0)]))


def test_nobody_runs_through_the_parts_of_an_error() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        iter(cluster.Stopped(po.PorankError()))
