"""The figures that a page draws are the pictures on it, and are drawn again if they are old."""

import os
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from docs import draw as module
from docs.decks.sketch import lines
from docs.draw import draw, draw_old, illustrated, in_pieces, pictures_on

CODE = """\
>>> import porank as po
>>> ax = po.draw_hasse(po.parse('a > b'))
>>> 1 / 0
Traceback (most recent call last):
ZeroDivisionError: division by zero
"""


def test_pages_with_pictures_have_names_of_their_own() -> None:
    pages = illustrated()
    assert len({page.stem for page in pages}) == len(pages) > 20
    for page in pages:
        numbers = range(1, 1 + len(pictures_on(page)))
        assert pictures_on(page) == [f"{page.stem}-{number}.svg" for number in numbers]


def test_a_page_is_drawn_if_it_is_newer_than_its_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DRAWN", tmp_path / "drawn")
    page, picture = tmp_path / "page.md", tmp_path / "drawn" / "page-1.svg"
    page.write_text(f"```python\n{CODE}\n```\n\n![a above b](drawn/page-1.svg)\n", "utf-8")
    assert draw(page) == pictures_on(page)
    assert not plt.get_fignums()
    first = picture.stat().st_mtime_ns
    monkeypatch.setattr(module, "ProcessPoolExecutor", OneAfterTheOther)
    draw_old([page])
    assert picture.stat().st_mtime_ns == first
    os.utime(page, (picture.stat().st_mtime + 1,) * 2)
    draw_old([page])
    assert picture.stat().st_mtime_ns > first


class OneAfterTheOther:
    """A pool that draws in this process, where the folder of the pictures is that of the test."""

    map = staticmethod(map)

    def __enter__(self) -> "OneAfterTheOther":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_slides_shorten_coordinates_and_no_number_that_is_read() -> None:
    figure, ax = plt.subplots(figsize=(1 / 3, 1 / 7))
    ax.text(0, 0, "0.956")
    pieces = in_pieces(figure)
    plt.close(figure)
    assert ">0.956<" in pieces
    assert not re.search(r'"[^"<>]*\.\d{3}', pieces)


def test_lines_between_rankings_name_all_items() -> None:
    for items in ("ab", "abc", "abcd", "abcde", "abcdef"):
        ax = lines(" ".join(items), " ".join(items[::-1]))
        names = [text.get_text() for text in ax.texts]
        assert [names.count(item) for item in items] == [2] * len(items), "at both ends"
        plt.close("all")
