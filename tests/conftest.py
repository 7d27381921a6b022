"""Before any test: porank is imported whole, and hypothesis searches without a clock.

A busy machine is no failure. Linear algebra has one thread: tests are spread over the processors
as it is, and threads that wait for each other cost ten times what they compute.
"""

import gc
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

# A module that pytest comes to before the package has been imported is executed twice, and its
# classes are no longer those that the others know.
import porank  # noqa: F401
from tests.support.browser import browser, opened

__all__ = ["browser", "opened"]

# Where CI is set, the examples are the same every time, so that a fault there is a fault here, and
# four times as many as where they are new each time.
IN_CI = "CI" in os.environ
#: What a change most often breaks, in a few seconds: beside the examples of docstrings, these.
QUICK = {"test_catalogue.py", "test_closure.py", "test_floors.py", "test_random_orders.py"}
settings.register_profile(
    "porank", deadline=None, max_examples=40 if IN_CI else 10, derandomize=IN_CI
)
settings.load_profile("porank")


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what is there before the first test."""
    gc.freeze()


@pytest.fixture(autouse=True)
def without_figures() -> None:
    """Close the figures that tests and docstrings have made, so that none counts in the next."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the example of a docstring know only what it imports, as where it is pasted."""
    for item in items:
        if isinstance(item, pytest.DoctestItem) and item.dtest is not None:
            item.dtest.globs = {"__name__": "__main__"}
            item.add_marker("quick")
        elif item.path.name in QUICK and item.get_closest_marker("slow") is None:
            item.add_marker("quick")
