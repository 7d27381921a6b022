"""Two evaluations held against each other, column by column, to the last bit."""

from __future__ import annotations

import numpy as np

from porank.results import Evaluation


def assert_equal(found: Evaluation, wanted: Evaluation) -> None:
    """Hold all that an evaluation has against what it should have."""
    assert found.keys() == wanted.keys()
    for name in found.columns:
        assert list(map(str, found[name].tolist())) == list(map(str, wanted[name].tolist()))
        assert found[name].dtype == wanted[name].dtype
    for name in found.measures:
        assert np.array_equal(found.statuses[name], wanted.statuses[name])
    assert np.array_equal(found.sizes, wanted.sizes)
    assert found.summary().rows == wanted.summary().rows
