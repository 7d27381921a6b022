"""Each page shows what its code draws, closes its figures, and writes into a folder of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from docs.draw import drawn_now, pictures_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def files_are_left_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each page in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def figures_are_shown(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compare the figures of a page with the pictures on it, and close them."""
    _close_figures()
    yield
    page, drawn = request.node.path, []
    shown = pictures_on(page) if page.suffix == ".md" else []
    if "matplotlib.pyplot" in sys.modules:
        drawn = drawn_now(page)
    _close_figures()
    assert not shown or shown == drawn, "the code failed, see above, or draws other pictures"


def _close_figures() -> None:
    """Close all figures, if there can be any."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
