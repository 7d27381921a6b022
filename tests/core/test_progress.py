"""A progress bar shows at once, late and to somebody who sees it, or never."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

import porank as po
from porank.core import graphs
from porank.core.progress import track

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
@pytest.mark.parametrize("progress", [True, False])
def test_who_asks_for_a_bar_has_it_at_once(progress: bool, terminal: bool) -> None:
    assert ("closing" in printed(progress, terminal=terminal)) is progress


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
