"""Formulas as MathML, which browsers show by themselves: no script, and no network.

Most machines have no font for mathematics, so that the pages bring the one that comes with ziamath.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

FONT = "STIXTwoMath-Regular.ttf"


def write_inline(translator: Any, node: Any) -> None:
    """Write a formula within a line."""
    translator.body.append(convert(node.astext()))
    raise SkipNode


def write_display(translator: Any, node: Any) -> None:
    """Write a formula that has a line of its own."""
    formula = convert(node.astext(), display="block")
    translator.body.append(f'<div class="math">{formula}</div>')
    raise SkipNode


def copy_font(app: Any, exception: Exception | None) -> None:
    """Put the font beside the style sheet that asks for it."""
    if exception is None:
        shutil.copy(str(files("ziamath") / "fonts" / FONT), Path(app.outdir, "_static", FONT))


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_display, None))
    app.connect("build-finished", copy_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
