"""Schedulers that do not answer, and workers that die."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.core import workers as cluster
from tests.workers import WITHOUT_PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")


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
    nobody = distributed.LocalCluster(n_workers=0, processes=False, **WITHOUT_PAGE)
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
    tasks: list[Any] = [lambda: 7, die, die]
    with pytest.raises(po.PorankError, match=r"several that died of the same task, .* tcp://there"):
        cluster.compute(client, tasks)
    assert len(client.cancelled) == 1


@pytest.mark.parametrize("client", [None, Mortal()])
def test_an_error_of_ours_is_a_result_and_raised_once(client: Any) -> None:
    error = po.PorankError("expected an even number, found 7")
    tasks = [dask.delayed(lambda: 3)(), dask.delayed(lambda: error)()]
    with pytest.raises(po.PorankError, match="an even number, found 7"):
        cluster.compute(client, tasks if client is None else [lambda: 3, lambda: error])


def test_what_is_no_error_of_ours_is_not_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        cluster.compute(None, [dask.delayed(divmod)(1, 0)])


def test_a_bar_counts_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        found = cluster.compute(None, [dask.delayed(abs)(-n) for n in range(3)], progress=True)
    assert found == [0, 1, 2]
    assert "parts" in capsys.readouterr().err


@pytest.mark.parametrize("client", [None, "a client"])
def test_rows_that_belong_together_meet(client: Any) -> None:
    """By Dask's own group-by: each row once, those of a part together and sorted."""

    def read(number: int, rows: list[int]) -> Iterator[Any]:
        columns = [np.array(rows)]
        places = np.arange(len(rows)) + (number << cluster.LINE_BITS)
        return cluster.deal_safely(number, cluster.deal(columns, ["user"], places, 3)[0])

    pieces = [dask.delayed([(0, [5, 6, 5, 7])]), dask.delayed([(1, [7, 8, 5])])]
    tasks = cluster.shuffle(client, pieces, 3, list, read=read)
    found = dask.compute(*tasks, scheduler="synchronous")
    met = [[user for one in part for user in one.columns[0].tolist()] for part in found]
    assert sorted(user for part in met for user in part) == [5, 5, 5, 6, 7, 7, 8]
    assert all(sum(user in part for part in met) == 1 for user in (5, 6, 7, 8))
    for part in found:
        assert [one.place for one in part] == sorted(one.place for one in part)


def test_the_first_fault_is_told() -> None:
    def read(number: int) -> Iterator[Any]:
        def fail() -> Iterator[Any]:
            raise po.PorankError(f"piece {number}")
            yield

        return cluster.deal_safely(number, fail())

    tasks = cluster.shuffle(None, [dask.delayed([(n,)]) for n in (1, 0, 2)], 2, list, read=read)
    with pytest.raises(po.PorankError, match="piece 0"):
        cluster.compute(None, tasks)
