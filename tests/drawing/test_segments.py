"""The picture of two segments: what stands where."""

from __future__ import annotations

from typing import Any

from matplotlib.colors import to_hex

import porank as po
from porank.drawing.style import MUTED, SERIES
from tests.drawn import one, row_names

SAID = [("x", "ab")] * 20 + [("y", "ba")] * 20 + [("x", "ac")] * 20 + [("y", "ac")] * 20
LOG = [
    {"session": number, "device": device, "item": item, "event": event}
    for number, (device, pair) in enumerate(SAID)
    for item, event in zip(pair, ("click", "view"), strict=True)
]


def test_rows_are_pairs_and_markers_shares() -> None:
    found = po.compare_segments(LOG, "device", samples=99)
    ax: Any = po.draw_segments(found)
    assert one(ax, "first").get_offsets().tolist() == [[1, 0], [1, 1]]
    assert one(ax, "second").get_offsets().tolist() == [[0, 0], [1, 1]]
    # Where they do not part, they are grey.
    colors = [to_hex(color) for color in one(ax, "first").get_facecolors()]
    assert colors == [SERIES[0][0].color, MUTED]
    assert [line.tolist() for line in one(ax, "parted").get_segments()] == [[[1, 0], [0, 0]]]
    assert len(one(ax, "alike").get_segments()) == 1
    assert row_names(ax) == ["a over b", "a over c"]
    assert ax.get_title() == "device: x and y part on 1 of 2 pairs"
    few: Any = po.draw_segments(found, most=1)
    assert (len(one(few, "first").get_offsets()), few.get_ylabel()) == (1, "the clearest 1")
    # Where they compare no pair alike, there is none.
    none: Any = po.draw_segments(po.compare_segments(LOG[:40] + LOG[120:], "device", samples=9))
    assert len(one(none, "first").get_offsets()) == 0
    assert none.get_title() == "device: x and y part on 0 of 0 pairs"
