"""The pictures of the pages lie beside them, drawn by the code that the pages have now."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from docs.drawn.make import DOCS, DRAWN, draw, illustrated, mark_of, pictures_on


def test_pictures_are_those_of_the_pages_as_they_are_and_there_are_no_others() -> None:
    pages = illustrated()
    assert {page.stem for page in pages} >= {
        *("start", "concepts", "inside", "clicks", "measures", "abstention", "learning"),
        *("aggregation", "batches", "systems", "pictures", "measuring_rankings"),
    }
    for page in pages:
        advice = f"python -m docs.drawn.make {page.relative_to(DOCS.parent)} draws them anew"
        for name in pictures_on(page):
            assert (DRAWN / name).exists(), advice
            assert mark_of(page) in (DRAWN / name).read_text("utf-8"), advice
    names = sorted(name for page in pages for name in pictures_on(page))
    assert sorted(path.name for path in DRAWN.glob("*.svg")) == names
    assert len({page.stem for page in pages}) == len(pages)


def test_a_picture_is_the_same_file_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs.drawn.make.DRAWN", tmp_path)
    monkeypatch.setitem(plt.rcParams, "svg.hashsalt", None)
    page = tmp_path / "page.md"
    code = ">>> import porank as po\n>>> ax = po.draw_hasse(po.parse('a > b'))\n"
    page.write_text(f"```python\n{code}\n```\n\n![a above b](drawn/page-1.svg)\n", "utf-8")
    assert draw(page) == pictures_on(page)
    first = (tmp_path / "page-1.svg").read_bytes()
    draw(page)
    assert (tmp_path / "page-1.svg").read_bytes() == first
    assert mark_of(page).encode() in first
