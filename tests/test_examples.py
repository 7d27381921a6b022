"""The examples: each runs, and each has the form of one question with one checked answer."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))
#: More than two seconds each.
SLOW = {"plot_large_order", "plot_robustness"}
plots = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow if path.stem in SLOW else (), id=path.stem)
        for path in EXAMPLES
    ],
)
def test_example_runs_and_every_axis_has_a_name(path: Path) -> None:
    plt.switch_backend("Agg")
    plt.close("all")  # what another test left open is no figure of the example
    try:
        runpy.run_path(str(path), run_name="__main__")
        axes = [ax for number in plt.get_fignums() for ax in plt.figure(number).axes]
        assert axes
        # An Axes that only carries others, side by side, has nothing to name, nor has a height that
        # means nothing.
        named = [ax for ax in axes if not ax.child_axes]
        assert all(
            ax.get_xlabel() and (ax.get_ylabel() or not len(ax.get_yticks())) for ax in named
        )
    finally:
        plt.close("all")


@plots
def test_example_asks_one_question_in_20_to_40_lines_and_ends_in_a_check(path: Path) -> None:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    lines = text.splitlines()[tree.body[0].end_lineno :]
    assert 20 <= sum(1 for line in lines if line.strip() and not line.startswith("#")) <= 40
    title, underline = (ast.get_docstring(tree) or "").split("\n")[:2]
    assert title.endswith("?")
    assert underline == "=" * len(title)
    assert isinstance(tree.body[-1], ast.Assert)
