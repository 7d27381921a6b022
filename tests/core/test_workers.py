"""Schedulers that do not answer, workers that die, and rows that meet whoever reads them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core import workers
from tests.workers import WITHOUT_PAGE

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")


@pytest.mark.parametrize(
    ("scheduler", "message"),
    [
        ("tcp://127.0.0.1:9", "a Dask scheduler at 'tcp://127.0.0.1:9', found none: .*starts one"),
        (7, "the address of a Dask scheduler or a distributed.Client as scheduler, found 7"),
    ],
)
def test_schedulers_that_do_not_answer(
    scheduler: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_PATIENCE", 0.3)
    with pytest.raises(po.PorankError, match=message), workers.connected(scheduler):
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
        workers.connected(address),
    ):
        pass
    assert begun == []


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PATIENCE", 0.3)
    nobody = distributed.LocalCluster(n_workers=0, processes=False, **WITHOUT_PAGE)
    with (
        nobody,
        pytest.raises(po.PorankError, match=r"expected workers at .* 'dask worker "),
        workers.connected(nobody.scheduler_address),
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
        workers.connected(Asynchronous()),
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
        workers.compute(client, tasks)
    assert len(client.cancelled) == 1


@pytest.mark.parametrize("client", [None, Mortal()])
def test_an_error_of_ours_is_a_result_and_raised_once(client: Any) -> None:
    error = po.PorankError("expected an even number, found 7")
    tasks = [dask.delayed(lambda: 3)(), dask.delayed(lambda: error)()]
    with pytest.raises(po.PorankError, match="an even number, found 7"):
        workers.compute(client, tasks if client is None else [lambda: 3, lambda: error])


@pytest.mark.parametrize("client", [None, "a client"])
def test_rows_that_belong_together_meet(client: Any) -> None:
    """By Dask's own group-by: each row once, those of a part together and sorted."""

    def read(number: int, rows: list[int]) -> Iterator[Any]:
        columns = [np.array(rows)]
        places = np.arange(len(rows)) + (number << workers.LINE_BITS)
        return workers.deal_safely(number, workers.deal(columns, ["user"], places, 3)[0])

    pieces = [dask.delayed([(0, [5, 6, 5, 7])]), dask.delayed([(1, [7, 8, 5])])]
    tasks = workers.shuffle(client, pieces, 3, list, read=read)
    found = dask.compute(*tasks, scheduler="synchronous")
    met = [[user for one in part for user in one.columns[0].tolist()] for part in found]
    assert sorted(user for part in met for user in part) == [5, 5, 5, 6, 7, 7, 8]
    assert all(sum(user in part for part in met) == 1 for user in (5, 6, 7, 8))
    for part in found:
        assert [one.place for one in part] == sorted(one.place for one in part)


def test_the_first_fault_is_told() -> None:
    def read(number: int) -> Iterator[Any]:
        def fail(_: Any) -> Any:
            raise po.PorankError(f"piece {number}")

        return workers.deal_safely(number, map(fail, "a"))

    tasks = workers.shuffle(None, [dask.delayed([(n,)]) for n in (1, 0, 2)], 2, list, read=read)
    with pytest.raises(po.PorankError, match="piece 0"):
        workers.compute(None, tasks)


LABELS = st.one_of(
    st.integers(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False),
    st.fractions(),
    st.booleans(),
    st.text(),
    st.tuples(st.integers(), st.text()),
    st.frozensets(st.integers()),
)


def parts_of(column: Any, parts: int) -> list[int]:
    """Return the part of each row."""
    dealt, _ = workers.deal([column], ["user"], np.arange(len(column)), parts)
    found = [-1] * len(column)
    for some in dealt:
        for row in some.rows.tolist():
            assert found[row] == -1
            found[row] = some.part
    return found


@given(st.lists(LABELS, max_size=20), st.integers(1, 9), st.data())
def test_equal_labels_meet(labels: list[Any], parts: int, data: st.DataObject) -> None:
    labels += data.draw(st.lists(st.sampled_from(labels), max_size=9)) if labels else []
    part_of = dict(zip(labels, parts_of(labels, parts), strict=True))
    assert parts_of(labels, parts) == [part_of[label] for label in labels]
    assert all(0 <= part < parts * workers._SPREAD for part in part_of.values())
    for label in labels:
        assert parts_of([label], parts) == [part_of[label]]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-1, -2, 2**61 - 1, -(2**61)])),
    st.integers(1, 300),
)
def test_integers_in_arrays_are_those_in_lists(values: list[int], parts: int) -> None:
    wanted = parts_of(values, parts)
    assert parts_of(np.array(values, dtype=np.int64), parts) == wanted
    fractions: list[Any] = list(map(Fraction, values))
    assert parts_of(fractions, parts) == wanted
    positive = [value for value in values if value >= 0]
    wanted = parts_of(positive, parts)
    assert parts_of(np.array(positive, dtype=np.uint64), parts) == wanted


@pytest.mark.parametrize("column", [np.arange(10_000), [f"u{n}" for n in range(10_000)]])
def test_parts_are_of_about_one_size(column: Any) -> None:
    sizes = np.bincount(parts_of(column, 10))
    assert sizes.size == 10 * workers._SPREAD
    assert sizes.min() > 150


def test_starts_are_where_labels_change() -> None:
    users, days = [1, 1, 1, 2, 2, 1], list("aabbba")
    dealt, faults = workers.deal([users, days, list(range(6))], ["user", "day"], np.arange(6), 3)
    firsts = {row for some in dealt for row in some.rows[some.starts].tolist()}
    # Row 5 is of the group of row 0, and follows it in its part unless another one is there, too.
    assert firsts - {5} == {0, 2, 3}
    assert faults == []


def test_what_is_no_label_is_told() -> None:
    columns = [[1, None, 2], ["x", "y", ""]]
    dealt, faults = workers.deal(columns, ["user", "day"], np.arange(3), 3)
    assert sorted(row for some in dealt for row in some.rows.tolist()) == [0, 1, 2]
    assert faults == [(1, "expected a user, found None"), (2, "expected a day, found ''")]


def test_parts_are_the_same_in_every_process() -> None:
    # The hash that Python has for texts is another one in each process.
    labels: list[Any] = ["tea", "ü", ("tea", 1), 7, -1, 2**61, 1.5, "", -(2**63)]
    assert parts_of(labels, 1000) == [1817, 2611, 3791, 3604, 3746, 2789, 3019, 0, 2391]
    both, _ = workers.deal([["tea", "ü"], ["a", "b"]], ["user", "day"], np.arange(2), 1000)
    assert {row: some.part for some in both for row in some.rows.tolist()} == {0: 887, 1: 1792}
