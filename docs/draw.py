"""Draw what the pages show: ``python -m docs.draw [page ...]`` writes it to ``docs/drawn``.

The code on a page draws its pictures: the n-th figure of ``page.md`` is ``drawn/page-n.svg``, and
``drawn/page-n.html`` for slides. The build of the site draws those that are missing, or older than
their page or than porank.
"""

from __future__ import annotations

import doctest
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

DOCS: Final = Path(__file__).parent
DRAWN: Final = DOCS / "drawn"
#: What SVG by Matplotlib does not need.
_WASTE: Final = r' transform="rotate\(-?0 [^"]*"| font-family: [^;"]*;?|<style.*?</style>'


def pictures_on(page: Path) -> list[str]:
    """Return the names of the pictures that a page shows."""
    return re.findall(r"\]\((?:\.\./)?drawn/([^)]*)\)", page.read_text("utf-8"))


def illustrated() -> list[Path]:
    """Return the pages that show what their code draws."""
    return sorted(page for page in DOCS.rglob("*.md") if pictures_on(page))


def title_of(page: Path) -> str:
    """Return the title of a page or of a deck of slides."""
    return page.read_text("utf-8").partition("\n")[0].removeprefix("# ")


def examples_of(page: Path) -> list[doctest.Example]:
    """Return the statements of Python on a page, each with what it answers."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    return [each for block in blocks for each in doctest.DocTestParser().get_examples(block)]


def drawn_now(page: Path) -> list[str]:
    """Return what the open figures are called, which the code of a page has made."""
    import matplotlib.pyplot as plt

    return [f"{page.stem}-{number}.svg" for number in plt.get_fignums()]


def draw(page: Path) -> list[str]:
    """Run the code of a page, without what is to fail, save its figures, and return their names."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    plt.close("all")
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        names: dict[str, object] = {}
        for example in examples_of(page):
            if example.exc_msg is None:
                exec(compile(example.source, str(page), "exec"), names)
    DRAWN.mkdir(exist_ok=True)
    for number, name in zip(plt.get_fignums(), drawn := drawn_now(page), strict=True):
        plt.figure(number).savefig(DRAWN / name)
        (DRAWN / name).with_suffix(".html").write_text(in_pieces(plt.figure(number)), "utf-8")
    plt.close("all")
    return drawn


def in_pieces(figure: Any) -> str:
    """Return each Axes of a figure as SVG, which a narrow screen may put in several lines.

    A piece knows its width, its height and the size of its smallest text.
    """
    figure.canvas.draw()
    figure.set_layout_engine("none")
    boxes = {ax: ax.get_tightbbox().padded(4) for ax in figure.axes}
    low, high = min(box.y0 for box in boxes.values()), max(box.y1 for box in boxes.values())
    pieces = []
    for ax, box in sorted(boxes.items(), key=lambda each: each[1].x0):
        for other in boxes:
            other.set_visible(other is ax)
        cut = box.from_extents(box.x0, low, box.x1, high)
        pieces.append(_compact(figure, cut.transformed(figure.dpi_scale_trans.inverted())))
    return "".join(pieces)


def _compact(figure: Any, cut: Any) -> str:
    """Return a part of a figure as short SVG, with texts as text."""
    import matplotlib.pyplot as plt

    picture = StringIO()
    with plt.rc_context({"svg.fonttype": "none"}):
        figure.savefig(picture, format="svg", bbox_inches=cut)
    svg = re.sub(r"<(metadata|title|desc)>.*?</\1>", "", picture.getvalue(), flags=re.S)
    svg = " ".join(svg[svg.index("<svg") :].split()).replace("> <", "><")
    svg = re.sub(_WASTE, "", svg)
    # Numbers in texts stay as they are.
    shorter = partial(re.sub, r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.1f}")
    svg = re.sub(r"<[^>]*>", lambda tag: shorter(tag[0]), svg)
    svg = re.sub(r' id="([^"]*)"', lambda name: name[0] * (f"#{name[1]}" in svg), svg)
    wide, high = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0]
    small = min(re.findall(r"font(?:-size)?: [^;]*?([\d.]+)px", svg), key=float, default=10)
    return f'<svg style="--w: {wide}; --h: {high}; --t: {small}"{svg[4:]}\n'


def _is_old(page: Path, code: float) -> bool:
    """Return whether a picture of a page is missing, or older than the page or the code."""
    pictures = [DRAWN / name for svg in pictures_on(page) for name in (svg, f"{svg[:-3]}html")]
    newest = max(code, page.stat().st_mtime)
    return any(not path.exists() or path.stat().st_mtime < newest for path in pictures)


def draw_old(pages: Iterable[Path]) -> None:
    """Draw the pictures of some pages that are missing or old, on all processors."""
    code = max(path.stat().st_mtime for path in (DOCS.parent / "porank").rglob("*.py"))
    old = [page for page in pages if _is_old(page, code)]
    with ProcessPoolExecutor() as pool:
        list(pool.map(draw, old))


if __name__ == "__main__":
    for page in [path.resolve() for path in map(Path, sys.argv[1:])] or illustrated():
        sys.stdout.write(f"{page.name}: {len(draw(page))}\n")
