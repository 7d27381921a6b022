"""Draw what the pages show: ``python -m docs.drawn.make [page ...]`` writes it to this folder.

The code on a page draws its pictures. Each of them holds a mark of that code, so that a test sees
when a page has changed since.
"""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from docs.lectures.make import examples_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from doctest import Example

DRAWN = Path(__file__).parent
DOCS = DRAWN.parent

_PICTURE = re.compile(r"\]\((?:\.\./)?drawn/([^)]*)\)")


def pictures_on(page: Path) -> list[str]:
    """Return the names of the pictures that a page shows."""
    return _PICTURE.findall(page.read_text("utf-8"))


def illustrated() -> list[Path]:
    """Return the pages that show what their code draws."""
    return sorted(page for page in DOCS.rglob("*.md") if pictures_on(page))


def mark_of(page: Path) -> str:
    """Return what its pictures say of the code on a page."""
    code = "".join(example.source for example in examples_of(page))
    return f"drawn by the code with the SHA-256 {sha256(code.encode()).hexdigest()}"


def run(examples: Iterable[Example]) -> None:
    """Run the code of a page or a docstring, without what is to fail; its figures stay open."""
    names: dict[str, object] = {}
    for example in examples:
        if example.exc_msg is None:
            with redirect_stdout(StringIO()):
                exec(example.source, names)


def drawn_now(page: Path) -> list[str]:
    """Return what the open figures are called, which the code of a page has made."""
    import matplotlib.pyplot as plt

    return [f"{page.stem}-{number}.svg" for number in plt.get_fignums()]


def draw(page: Path) -> list[str]:
    """Save each figure that a page makes, and return what they are called: page-1.svg ..."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    # The same figure is the same file.
    plt.rcParams["svg.hashsalt"] = "porank"
    plt.close("all")
    run(examples_of(page))
    names = drawn_now(page)
    for number, name in zip(plt.get_fignums(), names, strict=True):
        metadata = {"Date": None, "Description": mark_of(page)}
        plt.figure(number).savefig(DRAWN / name, metadata=metadata)
    plt.close("all")
    return names


if __name__ == "__main__":
    wanted = [path.resolve() for path in map(Path, sys.argv[1:])] or illustrated()
    for each in wanted:
        sys.stdout.write(f"{each.name}: {len(draw(each))}\n")
