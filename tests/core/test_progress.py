"""Progress bars: late, on standard error, for a reader; and solvers that can be interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import porank as po
from porank.abstention import transitive
from porank.aggregation import scoring
from porank.core import progress
from porank.core.progress import interruptible, track


def test_a_bar_shows_once_two_seconds_have_passed_and_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(progress, "_is_watched", lambda: True)
        assert list(track(range(3), label="closing")) == [0, 1, 2]
        assert capsys.readouterr().err == ""
        late: Any = track(range(3), label="closing")
        late.start_t = late.last_print_t = late.start_t - 3
        assert list(late) == [0, 1, 2]
        assert "closing:" in capsys.readouterr().err
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    for screen in (StringIO(), None):
        monkeypatch.setattr(sys, "stderr", screen)
        numbers = range(3)
        assert track(numbers, label="closing") is numbers


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
    for module in (scoring, transitive):
        monkeypatch.setattr(module, "interruptible", interrupted)
    calls: list[Callable[[], object]] = [
        lambda: po.footrule_optimal(votes),
        lambda: po.kemeny(votes),
        lambda: po.predict_order(po.preference_relation(votes), abstention_cost=0.5),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()
