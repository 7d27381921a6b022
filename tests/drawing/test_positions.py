"""What the picture of positions shows, and what it says where nothing moved."""

from __future__ import annotations

import numpy as np
import pytest

import porank as po
from tests.drawn import by_gid, entries, one


def test_lines_are_the_numbers() -> None:
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 300, seed=1)
    found, ax = po.estimate_propensity(log), po.draw_positions(log)
    lines = {line.get_gid(): np.asarray(line.get_xydata()) for line in ax.lines}
    assert lines["propensity"].tolist() == np.c_[found["position"], found["propensity"]].tolist()
    rates = found["clicks"] / found["views"]
    assert lines["rate"][:, 1].tolist() == (rates / rates.max()).tolist()
    assert lines["both_ways"][:, 1].tolist() == [1, 1, 1]
    corners = one(ax, "interval").get_paths()[0].vertices.tolist()
    assert all([3, found[side][2]] in corners for side in ("lower", "upper"))


def test_lists_that_never_change_and_few_clicks() -> None:
    ax = po.draw_positions(po.simulate_log({"a": 4, "b": 2}, 50, shown=["a", "b"], seed=1))
    assert "no propensities: clicks join no two positions" in entries(ax)
    assert one(ax, "both_ways").get_ydata().tolist() == [0, 0]
    # The interval of position 2, of few clicks, goes far beyond 1; its line does not.
    rows = [(k, "ab"[(k + j) % 2], j + 1) for k in range(6) for j in range(2)]
    log = [{"session": k, "item": i, "position": p, "event": "view"} for k, i, p in rows]
    log += [row | {"event": "click"} for row in log[:9:3]]
    ax = po.draw_positions(log)
    top = max(np.nanmax(np.asarray(line.get_ydata(), float)) for line in ax.lines)
    assert ax.get_ylim()[1] == pytest.approx(1.05 * max(1, top))
    assert top < po.estimate_propensity(log)["upper"].max() / 1.05
    ax = po.draw_positions([row for row in log if row["position"] == 1][:4])
    assert ax.get_xticks().tolist() == [1]
    assert by_gid(ax, "rate")
