"""What holds for every picture: names that fit, no warnings, the same picture every time."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import porank as po
from porank.core.graphs import item_key
from porank.results import SegmentComparison, SegmentPair
from tests.drawn import bare, blank, by_gid, misplaced_texts, pixels, row_names, texts

#: Items that cannot be compared, with names that are long, foreign, alike, or look like formulas.
ODD: list[Any] = [
    "a label that is much too long to be written out in any picture",
    "a label that is much too long to be written out beside any picture",
    "漢字",
    "Ærøskøbing",
    "$x_1$ costs $5",
    "\x00\n\t",
    "",
    1,
    "1",
    ("a", 2),
    frozenset({"y", "x"}),
    b"bytes",
]
LONG = [f"pepper and salt ({k})" for k in range(4)] + [f"Schwarzwälder Kirsch {k}" for k in "ab"]


def relation(items: list[Any]) -> po.PreferenceRelation:
    """Three rankings of the items."""
    half = len(items) // 2
    turned = [items, items[half:] + items[:half], items[1::-1] + items[2:]]
    return po.preference_relation([po.from_ranking(ranking) for ranking in turned])


def curve(items: list[Any]) -> Any:
    return po.abstention_curve(relation(items), po.from_ranking(items))


def partial(items: list[Any]) -> nx.DiGraph:
    """Two chains, the second item of each above all the rest of the other."""
    return po.intersection(po.from_ranking(items), po.from_ranking(items[1::2] + items[::2]))


def rankings(items: list[Any]) -> list[Any]:
    return [po.from_ranking(items), po.from_ranking(items[::-1]), dict.fromkeys(items, 1)]


def shuffled(items: list[Any]) -> Any:
    """A log of lists of so many items in all sequences alike."""
    return po.simulate_log(dict.fromkeys(range(max(len(items), 2)), 1), 200, seed=1)


def segments(items: list[Any]) -> SegmentComparison:
    """Two devices that part on every second pair of neighbours, as if somebody had found that."""
    one = SegmentPair("", "", (8, 3), (2, 7), (0.8, 0.3), 0.5, 2.3, 0.01)
    pairs = [one._replace(preferred=u, other=v) for u, v in pairwise(items)]
    alike = [one._replace(preferred=v, other=u, p_value=1.0) for u, v in pairwise(items)]
    found = tuple(pairs[::2] + alike[1::2])
    return SegmentComparison("device", ("phone", "desk"), "user", (10, 12), found, 0.05, 99)


def systems(items: Any) -> Any:
    """Systems of which the first half by name is right, and the other half wrong."""
    right, wrong = (dict.fromkeys(range(8), own) for own in ([3, 2, 1], [1, 2, 3]))
    half = sorted(items, key=item_key)[: (len(items) + 1) // 2]
    given = {item: right if item in half else wrong for item in items}
    return po.compare_systems(right, given, measures="kendall_tau")


def two(items: list[Any]) -> list[Any]:
    return [po.from_ranking(items), partial(items)]


#: What is drawn of some items, and the gids of what the picture cannot do without.
PICTURES: dict[str, tuple[Callable[[list[Any]], list[Any]], str]] = {
    "hasse": (lambda items: [partial(items)], "item cover"),
    "comparison": (two, "item concordant discordant key"),
    "pair_matrix": (two, "pairs contradicted key"),
    "preferences": (lambda items: [relation(items)], "degrees cut added key"),
    "rankings": (lambda items: [rankings(items)], "items inversions tie item title count"),
    "thresholds": (lambda items: [relation(items)], "own closure diagram threshold place"),
    "tradeoff": (lambda items: [curve(items)], "curve level minimal key"),
    "rank_intervals": (lambda items: [partial(items)], "probabilities interval expected key"),
    "segments": (lambda items: [segments(items)], "parted alike first second key"),
    "positions": (lambda items: [shuffled(items)], "rate propensity interval both_ways key"),
}
pictures = pytest.mark.parametrize("name", PICTURES)


def draw(name: str, items: list[Any], **options: Any) -> Any:
    return getattr(po, f"draw_{name}")(*PICTURES[name][0](items), **options)


@pictures
def test_no_text_is_cut_and_none_lies_on_another(name: str) -> None:
    ax = draw(name, ODD)
    assert len(plt.get_fignums()) == 1
    assert misplaced_texts(ax) == []
    for layout in (None, "constrained"):
        figure = Figure((4, 3), layout=layout)
        FigureCanvasAgg(figure)
        assert misplaced_texts(draw(name, LONG, ax=figure.add_subplot())) == []
    ax = Figure((6, 4)).add_axes((0.1, 0.1, 0.8, 0.8))
    assert draw(name, list("abcde"), ax=ax) is ax
    assert ax.get_position().bounds == pytest.approx((0.1, 0.1, 0.8, 0.8)), "by hand, it stays"
    for n in (0, 1):
        assert draw(name, list(range(n)), ax=bare()).get_title()


@pictures
def test_it_is_written_without_a_warning_and_each_id_occurs_once(name: str) -> None:
    before, ax = plt.get_fignums(), blank()
    ax.set(xscale="log", yscale="log")
    for where in (ax, ax.figure.figure.add_axes((0.5, 0.5, 0.5, 0.5))):
        draw(name, ODD[2:7], ax=where)
    assert plt.get_fignums() == before
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")
    ax.figure.figure.savefig(io.BytesIO(), format="pdf")
    ax.figure.figure.savefig(data := io.BytesIO(), format="svg")
    ids = re.findall(' id="([^"]*)"', data.getvalue().decode())
    assert len(ids) == len(set(ids))
    assert [gid for gid in PICTURES[name][1].split() if not by_gid(ax, gid)] == []
    assert any(each.endswith("-2") for each in ids)


@pytest.mark.slow
def test_the_sequence_of_insertion_does_not_matter() -> None:
    def inserted(vote: str, items: str) -> nx.DiGraph:
        return po.from_pairs(pairwise(vote), items=items)

    drawn = []
    for items in ("abcd", "dbca"):
        graphs = [inserted(vote, items) for vote in ("badc", "abcd", "dcab", "abdc")]
        tangled = inserted("aba", items)
        nx.set_node_attributes(tangled, {"c": 1, "d": 1}, "tie")
        before = [(list(G), list(G.edges)) for G in graphs]
        P = po.preference_relation(graphs)
        axes = [
            po.draw_hasse(tangled, ax=bare(3)),
            po.draw_comparison(*graphs[:2], ax=bare(3)),
            po.draw_pair_matrix(*graphs[:2], ax=bare(3)),
            po.draw_rankings(graphs, ax=bare(3)),
            po.draw_rank_intervals(po.intersection(*graphs), ax=bare(3)),
            po.draw_preferences(P, ax=bare(3)),
            po.draw_thresholds(P, ax=bare(3)),
            po.draw_systems(systems(items), ax=bare(3)),
        ]
        drawn.append([pixels(ax) for ax in axes])
        assert before == [(list(G), list(G.edges)) for G in graphs], "drawing changes no graph"
    assert drawn[0] == drawn[1]


@pytest.mark.slow
def test_pyplot_is_imported_for_a_new_figure_only() -> None:
    program = (
        "import sys; from tests.drawing.test_pictures import PICTURES, bare, draw;"
        "sys.modules.pop('matplotlib.pyplot');"
        "[draw(name, list('abc'), ax=bare()) for name in PICTURES];"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], cwd=Path(po.__file__).parents[1], check=True)


def test_names_of_items_are_told_apart_and_begin_no_formula() -> None:
    names = row_names(po.draw_rank_intervals(po.from_ranking(ODD), ax=blank()))
    assert len(set(names)) == len(ODD)
    assert names[2:5] == [r"\u6f22\u5b57", "Ærøskøbing", r"\$x_1\$ costs \$5"]
    assert names[6:9] == ["''", "1", "'1'"]
    assert all("…" in name for name in names[:2])
    with mpl.rc_context({"font.family": "DejaVu Sans"}):
        assert row_names(po.draw_rank_intervals({"żółć": 2, "≻": 1}, ax=blank())) == ["żółć", "≻"]


@pytest.mark.slow
@pictures
def test_many_items(name: str) -> None:
    ax: Any = draw(name, list(range(60)))
    assert misplaced_texts(ax) == []
    assert all(float(text.get_fontsize()) >= 5 for text in texts(ax))
