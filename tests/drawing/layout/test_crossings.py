"""Fewest crossings: sifting against its definition."""

import numpy as np
from hypothesis import given

from porank.drawing.layout.crossings import _Sequences, count_crossings
from porank.drawing.layout.levels import Rows, Strata
from tests.support.layered_diagrams import diagrams


@given(diagrams())
def test_sifting_makes_nothing_worse_and_after_it_no_single_move_helps(
    diagram: tuple[Strata, Rows],
) -> None:
    strata, given_rows = diagram
    before = [row.tolist() for row in given_rows]
    rows = _Sequences(strata, given_rows).arrays()
    assert [row.tolist() for row in given_rows] == before
    least = count_crossings(strata, rows)
    assert least <= count_crossings(strata, given_rows)
    for k, row in enumerate(rows):
        assert sorted(row.tolist()) == list(range(strata.sizes[k]))
        for node in row.tolist():
            others = [other for other in row.tolist() if other != node]
            for p in range(len(row)):
                moved = np.array([*others[:p], node, *others[p:]])
                assert count_crossings(strata, [*rows[:k], moved, *rows[k + 1 :]]) >= least
