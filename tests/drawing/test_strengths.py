"""Strengths as drawn: dots, intervals, and lines between parts."""

from __future__ import annotations

import numpy as np
import pytest

import porank as po
from porank.drawing import strengths as drawing
from tests.drawn import blank, by_gid, misplaced_texts, one, row_names


def test_dots_stand_on_their_intervals_part_by_part() -> None:
    wins = {("a", "b"): 9, ("b", "a"): 4, ("x", "y"): 5, ("y", "x"): 6, ("y", "z"): 2}
    found = po.fit_strengths(wins)
    ax = po.draw_strengths(found, ax=blank(6, 3))
    rows = [item for part in found.parts for item in part]
    assert row_names(ax) == rows
    dots = np.asarray(one(ax, "strength").get_offsets()).tolist()
    assert dots == [[found.strengths[item], y] for y, item in enumerate(rows)]
    ends = [path.vertices.tolist() for path in one(ax, "interval").get_paths()]
    assert ends == [[[end, y] for end in found.intervals[item]] for y, item in enumerate(rows)]
    assert [line.get_ydata()[0] for line in by_gid(ax, "part")] == [1.5, 3.5]
    low, high = ax.get_ylim()
    assert low > high, "the strongest is on top"
    assert ax.get_title() == f"Strengths of 5 items: {found.verdict()}"
    assert not misplaced_texts(ax)


def test_what_is_none_and_what_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = {("a", "b"): 1, ("b", "a"): 1}
    with pytest.raises(po.PorankError, match="fit_strengths returns"):
        po.draw_strengths(po.compare_battles(wins))  # type: ignore[arg-type]
    monkeypatch.setattr(drawing, "_MOST", 1)
    with pytest.raises(po.PorankError, match="items to draw"):
        po.draw_strengths(po.fit_strengths(wins, samples=1))
