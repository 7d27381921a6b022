"""The minimal threshold."""

import pytest

import porank as po


def test_a_cut_has_no_minimal_threshold() -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    with pytest.raises(po.errors.GraphTypeError, match="makes one"):
        po.minimal_threshold(P.cut(1))
