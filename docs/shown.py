"""API pages of functions that draw show what their example draws.

When Sphinx reads such a docstring, its example is run, and the last figure is put below it.
"""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path
from typing import Any

from docs.drawn.make import run

FOLDER = "drawn"


def _show(app: Any, what: str, name: str, obj: Any, _: Any, lines: list[str]) -> None:
    """Run the example of a function that draws, and append its picture."""
    short = name.rpartition(".")[2]
    if what != "function" or not short.startswith("draw_") or app.builder.format != "html":
        return
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    # An example may close its figure, which is wanted here.
    close, plt.close = plt.close, lambda *_: None
    try:
        run(doctest.DocTestParser().get_examples(inspect.getdoc(obj) or ""))
    finally:
        plt.close = close
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    plt.gcf().savefig(folder / f"{short}.svg", bbox_inches="tight")
    plt.close("all")
    picture = f'<img class="drawn" src="../../{FOLDER}/{short}.svg" alt="What the example draws">'
    lines += ["", ".. raw:: html", "", f"   {picture}", ""]


def setup(app: Any) -> dict[str, bool]:
    """Ask Sphinx for each docstring, before numpydoc does."""
    app.connect("autodoc-process-docstring", _show, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
