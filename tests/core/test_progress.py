"""Bars of long loops, where somebody sees them, and calls that can be interrupted."""

import io
import sys
from collections.abc import Callable, Iterable
from itertools import count
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import porank as po
from porank.abstention import integer_program
from porank.aggregation import voting_rules
from porank.aggregation.voting_rules import footrule_optimal
from porank.core import progress
from porank.core.progress import interruptible, track

LONG = 10


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Bars in the sequence in which they are made; each element takes a second of a clock."""
    made: list[Any] = []

    class Bar:
        def __init__(self, *, desc: str, total: int | None, initial: int, leave: bool) -> None:
            self.made_as = desc, total, initial, leave
            self.is_open, self.updates = True, 0
            made.append(self)

        def update(self) -> None:
            self.updates += 1

        def close(self) -> None:
            self.is_open = False

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    monkeypatch.setattr(progress, "monotonic", count().__next__)
    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    return made


def test_a_bar_is_made_after_two_seconds(bars: list[Any]) -> None:
    assert list(track("ab", label="writing")) == ["a", "b"]
    assert [bar.made_as for bar in bars] == [("writing", 2, 1, False)]


def break_off(numbers: Iterable[int]) -> None:
    for number in numbers:
        if number > LONG / 2:
            break


def fail(numbers: Iterable[int]) -> None:
    for number in numbers:
        if number > LONG / 2:
            raise KeyboardInterrupt


def stop_early(numbers: Iterable[int]) -> None:
    assert list(zip(numbers, range(LONG // 2), strict=False))


@pytest.mark.parametrize("use", [list, break_off, fail, stop_early])
def test_a_bar_is_closed_however_its_loop_ends(
    use: Callable[[Iterable[int]], object], bars: list[Any]
) -> None:
    numbers, kept = track(range(LONG), label="writing"), None
    try:
        use(numbers)
    except KeyboardInterrupt as error:
        kept = error  # as a notebook does, with all variables of the functions that were left
    assert (kept is not None) == (use is fail)
    (bar,) = bars
    assert bar.updates
    assert not bar.is_open


def test_no_bar_is_made_where_nobody_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    for screen in (io.StringIO(), None):
        monkeypatch.setattr(sys, "stderr", screen)
        numbers = range(3)
        assert track(numbers, label="closing") is numbers


CELLS = (
    "import porank as po",
    'G = po.from_ranking("abc")\nG',
    "po.transitive_closure(G), po.kendall_tau(G, G), po.rank_probabilities(G)",
    'po.predict_order(po.preference_relation([G, po.from_ranking("acb")]))',
    "po.draw_hasse(G)",
)


@pytest.mark.slow
def test_a_notebook_with_widgets_has_no_bar_and_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPLBACKEND", raising=False)  # or the kernel draws no pictures in the cells
    pytest.importorskip("ipywidgets")
    pytest.importorskip("ipykernel")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, CELLS)))
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    assert {output.output_type for output in outputs} == {"execute_result", "display_data"}
    kinds = {kind for output in outputs for kind in output.data}
    # Orders are shown as SVG in HTML.
    assert kinds == {"text/plain", "text/html", "image/png"}
    assert not notebook.metadata.get("widgets")


def test_what_would_not_be_interrupted_gives_its_result_or_its_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert interruptible(sorted, [1, 2], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        interruptible(divmod, 7, 0)
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
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    votes = list(np.random.default_rng(0).random((5, 20)))
    for module in (voting_rules, integer_program):
        monkeypatch.setattr(module, "interruptible", interrupted)
    calls: list[Callable[[], object]] = [
        lambda: footrule_optimal(votes),
        lambda: po.kemeny(votes),
        lambda: po.predict_order(po.preference_relation(votes), abstention_cost=0.5),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()
