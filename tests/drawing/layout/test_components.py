"""Parts of a diagram side by side."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from porank.drawing.layout.components import _packed

SPANS = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=3)


@given(st.lists(st.tuples(st.integers(0, 2), SPANS), max_size=5))
def test_parts_stand_as_close_as_they_may(drawn: list[tuple[int, list[tuple[int, int]]]]) -> None:
    parts = [(np.full(5, np.inf), np.full(5, -np.inf)) for _ in drawn]
    for (left, right), (top, spans) in zip(parts, drawn, strict=True):
        for k, (start, width) in enumerate(spans, start=top):
            left[k], right[k] = start, start + width
    moves = _packed(parts)
    for i, (left, _) in enumerate(parts):
        others = zip(parts[:i], moves, strict=False)
        rooms = [float((left + moves[i] - right - move).min()) for (_, right), move in others]
        assert min(rooms, default=np.inf) in (1, np.inf)
