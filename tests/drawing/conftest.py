"""Each test begins without a figure, so that none counts, or waits for, those of others."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close the figures that a test has made."""
    yield
    plt.close("all")
