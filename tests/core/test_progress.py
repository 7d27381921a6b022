"""A progress bar shows at once, late and to somebody who sees it, or never."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.abstention import least_loss
from porank.aggregation import kemeny, scoring
from porank.core import graphs, progress
from porank.core.progress import at_work, interruptible, track

if TYPE_CHECKING:
    from collections.abc import Callable

CODE = """
from porank.core import progress
progress.PATIENCE = {patience}
assert list(progress.track(range(3), progress={progress}, label="closing")) == [0, 1, 2]
"""


def printed(progress: bool | None, *, terminal: bool, patience: float = 9.0) -> str:
    """What a process writes to standard error, when that is a terminal or a pipe."""
    command = [sys.executable, "-c", CODE.format(progress=progress, patience=patience)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if not terminal:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return run.stderr
    pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
    termios = pytest.importorskip("termios", reason="only POSIX has pseudo-terminals")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    os.set_blocking(ours, False)
    try:
        subprocess.run(command, env=environment, stderr=theirs, check=True)
        return os.read(ours, 10_000).decode()
    except BlockingIOError:  # nothing was written
        return ""
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("asked", [True, False])
def test_who_asks_for_a_bar_has_it_at_once(asked: bool, terminal: bool) -> None:
    assert ("closing" in printed(asked, terminal=terminal)) is asked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terminal", "patience", "shows"), [(True, 0, True), (True, 9, False), (False, 0, False)]
)
def test_by_default_it_comes_late_and_to_a_terminal(
    terminal: bool, patience: float, shows: bool
) -> None:
    assert ("closing" in printed(None, terminal=terminal, patience=patience)) is shows


def test_who_asks_for_no_bar_has_none_while_a_graph_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool | None] = []

    def note(iterable: Any, *, progress: bool | None, label: str) -> Any:
        assert label == "writing"
        asked.append(progress)
        return iterable

    monkeypatch.setattr(graphs, "track", note)
    votes, pairs = [[3, 2, 1], [3, 1, 2]], {"session": [1], "item": ["a"], "event": ["view"]}
    relations = [po.from_ranking("abc")]
    asked.clear()
    for function in (po.borda, po.best_input, po.majority_graph):
        function(votes, progress=False)
    po.predict_order(po.preference_relation(votes), progress=False)
    po.consensus_order(relations, distance="symmetric_difference", progress=False)
    po.break_cycles([3, 2, 1], progress=False)
    po.intersection(*votes, progress=False)
    po.feedback_report(pairs, progress=False)
    assert set(asked) == {False}


def test_without_a_bar_nothing_is_wrapped() -> None:
    things = [1, 2]
    assert track(things, progress=False, label="-") is things


def test_anything_else_is_refused() -> None:
    with pytest.raises(po.PorankError, match=r"progress to be True, False or None, found 1"):
        po.random_linear_extensions(po.parse("a > b"), 1, progress=1)  # type: ignore[arg-type]


class FakeBar:
    """A bar of tqdm's that writes down what it is told."""

    def __init__(self, iterable: Any = (), **options: Any) -> None:
        self.iterable, self.disable, self.desc, self.told = iterable, False, options.get("desc"), 0

    def __iter__(self) -> Any:
        yield from self.iterable
        self.close()

    def set_description_str(self, text: str) -> None:
        self.desc = text

    def refresh(self) -> None:
        self.told += 1

    def close(self) -> None:
        self.disable = True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the seconds of a fake clock, for works that somebody watches without a thread."""
    seconds = [100.0]
    monkeypatch.setattr("tqdm.auto.tqdm", FakeBar)
    monkeypatch.setattr(progress, "monotonic", lambda: seconds[0])
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr("porank.core.progress.Thread.start", lambda _: None)
    progress._pulse.clear()
    return seconds


def standing() -> list[str]:
    """What is written where a bar would stand, once it has been looked whether there is work."""
    progress._beat()
    return [line.desc for line in progress._clock]


def test_a_work_without_a_bar_says_for_how_long_it_has_lasted(clock: list[float]) -> None:
    with at_work("laying out", progress=None):
        clock[0] = 101.9
        assert standing() == []
        clock[0] = 102.0
        assert standing() == ["laying out: 2 s"]
        with at_work("matching", progress=None):
            clock[0] = 110.2
            assert standing() == ["matching: 10 s"]
        (line,) = progress._clock
    assert line.disable
    assert standing() == []


def test_a_work_says_so_at_once_or_never_where_asked(clock: list[float]) -> None:
    with at_work("closing", progress=True):
        assert standing() == ["closing: 2 s"]
    with at_work("closing", progress=False):
        clock[0] = 999.0
        assert standing() == []
    with pytest.raises(po.PorankError, match="progress to be True, False or None, found 1"):
        at_work("closing", progress=1)  # type: ignore[arg-type]


def test_what_a_silent_work_calls_is_silent_unless_asked(clock: list[float]) -> None:
    with at_work("evaluating", progress=False):
        with at_work("closing", progress=None):
            clock[0] = 999.0
            assert standing() == []
        numbers = range(3)
        assert track(numbers, progress=None, label="covering") is numbers
        with at_work("closing", progress=True):
            assert standing() == ["closing: 2 s"]
    assert track(numbers, progress=None, label="covering") is not numbers


@pytest.mark.parametrize(
    "work",
    [
        lambda: po.from_scores({"a": 2, "b": 1}),
        lambda: po.from_ranking("ab"),
        lambda: po.from_levels([["a"], ["b"]]),
        lambda: po.from_ranks({"a": 1, "b": 2}),
        lambda: po.from_pairs([("a", "b")]),
        lambda: po.random_ranking(3, seed=0),
        lambda: po.levels({"a": 2, "b": 1}),
        lambda: po.restrict({"a": 2, "b": 1}, "a"),
        lambda: po.align({"a": 2, "b": 1}, {"b": 1}),
    ],
)
def test_makers_of_large_orders_are_seen_at_work(
    work: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(at_work, "__enter__", lambda self: seen.append(self.label))
    monkeypatch.setattr(at_work, "__exit__", lambda *_: None)
    work()
    assert seen


def test_the_time_of_a_bar_that_stands_goes_on(clock: list[float]) -> None:
    with at_work("laying out", progress=None):
        clock[0] = 103.0
        assert standing() == ["laying out: 3 s"]
        bar: Any = track([1, 2], progress=True, label="sifting")
        assert progress._clock == []
        assert standing() == []
        assert bar.told == 1
        assert list(bar) == [1, 2]
        assert standing() == ["laying out: 3 s"]


def test_a_work_that_is_interrupted_says_nothing_more(clock: list[float]) -> None:
    def interrupted() -> None:
        with at_work("closing", progress=None):
            clock[0] = 103.0
            assert standing() == ["closing: 3 s"]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert standing() == []
    assert not progress._works


def test_one_thread_looks_after_all_works_and_ends_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Any] = []

    def start(thread: Any) -> None:
        begun.append(thread)

    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    monkeypatch.setattr("porank.core.progress.Thread.start", start)
    monkeypatch.setattr("porank.core.progress.Thread.is_alive", lambda _: True)
    with at_work("one", progress=None), at_work("two", progress=None):
        assert progress._beat()
    with at_work("three", progress=None):
        assert len(begun) == 1
    assert not progress._beat()
    with at_work("four", progress=None):
        assert len(begun) == 2
    progress._pulse.clear()


def test_what_would_not_be_interrupted_gives_its_result_or_its_error() -> None:
    assert interruptible(divmod, 7, 2) == (3, 1)
    assert interruptible(sorted, [1, 2], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        interruptible(divmod, 7, 0)


def test_nobody_waits_for_what_would_not_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, join = Event(), Thread.join

    def interrupt(_: Thread, timeout: float | None = None) -> None:
        monkeypatch.setattr(Thread, "join", join)
        assert timeout is not None
        raise KeyboardInterrupt

    monkeypatch.setattr(Thread, "join", interrupt)
    with pytest.raises(KeyboardInterrupt):
        interruptible(ended.wait)
    ended.set()


def test_solvers_are_called_so_that_they_can_be_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("scipy")

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    votes = list(np.random.default_rng(0).random((5, 12)))
    for module in (scoring, kemeny, least_loss):
        monkeypatch.setattr(module, "interruptible", interrupted)
    calls: list[Callable[[], object]] = [
        lambda: po.footrule_optimal(votes),
        lambda: po.kemeny(votes, method="program"),
        lambda: po.predict_order(po.preference_relation(votes), abstention_cost=0.4),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.usefixtures("clock")
def test_a_forked_process_knows_nothing_of_the_works_of_the_other() -> None:
    with at_work("closing", progress=None), progress._lock:
        child = os.fork()
        if not child:
            is_free = progress._lock.acquire(blocking=False)
            os._exit(0 if is_free and not progress._works else 1)
        assert os.waitpid(child, 0)[1] == 0


@pytest.mark.usefixtures("clock")
def test_an_error_stream_that_is_closed_ends_the_watch_and_not_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def closed(*_: Any) -> None:
        raise ValueError("I/O operation on closed file")

    with at_work("closing", progress=True):
        assert standing() == ["closing: 2 s"]
        monkeypatch.setattr(FakeBar, "set_description_str", closed)
        monkeypatch.setattr(FakeBar, "close", closed)
        progress._keep_beating()
    assert progress._works == progress._clock == []
