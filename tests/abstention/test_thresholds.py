"""The minimal threshold."""

import porank as po
from tests.support.refusals import refuses


def test_a_cut_has_no_minimal_threshold() -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    refuses("makes one", po.minimal_threshold, P.cut(1), error=po.errors.GraphTypeError)
