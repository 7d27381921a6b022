"""What holds for every picture: names that fit, no warnings, the same picture every time."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import porank as po
from porank.core.graphs import item_key
from porank.errors import GraphTypeError, PorankError
from porank.results import SegmentComparison, SegmentPair, SystemComparison
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


def relation(items: list[Any]) -> po.PreferenceRelation:
    """Three rankings of the items."""
    half = len(items) // 2
    turned = [items, items[half:] + items[:half], items[1::-1] + items[2:]]
    return po.preference_relation([po.from_ranking(ranking) for ranking in turned])


def partial(items: list[Any]) -> nx.DiGraph:
    """Two chains, the second item of each above all the rest of the other."""
    return po.intersection(po.from_ranking(items), po.from_ranking(items[1::2] + items[::2]))


class Picture(NamedTuple):
    """A function that draws, and the gids of what it cannot do without."""

    draw: Any
    gids: set[str]


PICTURES = {
    "hasse": Picture(lambda items, **k: po.draw_hasse(partial(items), **k), {"item", "cover"}),
    "comparison": Picture(
        lambda items, **k: po.draw_comparison(po.from_ranking(items), partial(items), **k),
        {"item", "concordant", "discordant", "key"},
    ),
    "pair_matrix": Picture(
        lambda items, **k: po.draw_pair_matrix(po.from_ranking(items), partial(items), **k),
        {"pairs", "contradicted", "key"},
    ),
    "preferences": Picture(
        lambda items, **k: po.draw_preferences(relation(items), **k),
        {"degrees", "cut", "added", "key"},
    ),
    "rankings": Picture(
        lambda items, **k: po.draw_rankings(
            [po.from_ranking(items), po.from_ranking(items[::-1]), dict.fromkeys(items, 1)], **k
        ),
        {"items", "inversions", "tie", "item", "title", "count"},
    ),
    "thresholds": Picture(
        lambda items, **k: po.draw_thresholds(relation(items), **k),
        {"own", "closure", "diagram", "threshold", "place"},
    ),
    "tradeoff": Picture(
        lambda items, **k: po.draw_tradeoff(
            po.abstention_curve(relation(items), po.from_ranking(items)), **k
        ),
        {"curve", "level", "minimal", "key"},
    ),
    "rank_intervals": Picture(
        lambda items, **k: po.draw_rank_intervals(partial(items), **k),
        {"probabilities", "interval", "expected", "key"},
    ),
    "segments": Picture(
        lambda items, **k: po.draw_segments(segments(items), **k),
        {"parted", "alike", "first", "second", "key"},
    ),
    "positions": Picture(
        lambda items, **k: po.draw_positions(shuffled(len(items)), **k),
        {"rate", "propensity", "interval", "both_ways", "key"},
    ),
}


def shuffled(n: int) -> Any:
    """A log of lists of so many items in all sequences alike."""
    return po.simulate_log(dict.fromkeys(range(max(n, 2)), 1), 200, seed=1)


def segments(items: Sequence[Any]) -> SegmentComparison:
    """Two devices that part on every second pair of neighbours, as if somebody had found that."""
    one = SegmentPair("", "", (8, 3), (2, 7), (0.8, 0.3), 0.5, 2.3, 0.01)
    pairs = [one._replace(preferred=u, other=v) for u, v in pairwise(items)]
    alike = [one._replace(preferred=v, other=u, p_value=1.0) for u, v in pairwise(items)]
    found = tuple(pairs[::2] + alike[1::2])
    return SegmentComparison("device", ("phone", "desk"), "user", (10, 12), found, 0.05, 99)


def panel(draw: Any) -> Any:
    """All pictures in one figure, and room for one more."""
    figure = Figure((16, 9), dpi=60)
    FigureCanvasAgg(figure)
    for picture, ax in zip(PICTURES.values(), figure.subplots(3, 4).flat, strict=False):
        draw(picture, ax)
    return figure


pictures = pytest.mark.parametrize("picture", PICTURES.values(), ids=list(PICTURES))


@pictures
def test_no_text_is_cut_and_none_lies_on_another(picture: Picture) -> None:
    ax = picture.draw(ODD)
    assert len(plt.get_fignums()) == 1
    assert misplaced_texts(ax) == []


LONG = [f"pepper and salt ({k})" for k in range(4)] + [f"Schwarzwälder Kirsch {k}" for k in "ab"]


@pictures
def test_names_stay_within_a_figure_of_the_caller(picture: Picture) -> None:
    for layout in (None, "constrained"):
        figure = Figure((4, 3), layout=layout)
        FigureCanvasAgg(figure)
        assert misplaced_texts(picture.draw(LONG, ax=figure.add_subplot())) == []
    ax = Figure((6, 4)).add_axes((0.1, 0.1, 0.8, 0.8))
    picture.draw(list("abcde"), ax=ax)
    assert ax.get_position().bounds == pytest.approx((0.1, 0.1, 0.8, 0.8)), "by hand, it stays"


def test_few_items() -> None:
    for n in (0, 1):
        figure = panel(lambda picture, ax, n=n: picture.draw(list(range(n)), ax=ax))
        drawn = figure.axes[: len(PICTURES)]
        assert all(ax.get_title() for ax in drawn)


def test_all_are_written_without_a_warning_and_each_id_occurs_once() -> None:
    figure = panel(lambda picture, ax: picture.draw(ODD[2:6], ax=ax))
    po.draw_hasse(po.parse("a > b; c ~ d"), ax=figure.axes[-1])
    figure.savefig(io.BytesIO(), format="pdf")
    figure.savefig(data := io.BytesIO(), format="svg")
    ids = re.findall(rb' id="([^"]*)"', data.getvalue())
    assert len(ids) == len(set(ids))
    assert {b"item", b"item-2", b"key", b"key-2", b"tie", b"curve", b"pairs"} <= set(ids)


@pictures
def test_it_is_drawn_where_it_should_be(picture: Picture) -> None:
    before = plt.get_fignums()
    ax = blank()
    ax.set(xscale="log", yscale="log")
    assert picture.draw(list("abcde"), ax=ax) is ax
    assert plt.get_fignums() == before
    assert {gid for gid in picture.gids if not by_gid(ax, gid)} == set()
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")
    for wrong in (*(Figure().add_subplot(projection=name) for name in ("3d", "polar")), "here"):
        with pytest.raises(PorankError, match=r"expected.*plt\.subplots\(\)"):
            picture.draw(list("abc"), ax=wrong)


def test_what_is_no_such_thing_is_refused() -> None:
    wrong: list[tuple[Any, Any]] = [
        (po.draw_preferences, [po.chain(2)]),
        (po.draw_thresholds, po.chain(2)),
        (po.draw_rankings, po.chain(2)),
        (po.draw_tradeoff, [1, 2]),
        (po.draw_rank_intervals, "abc"),
        (lambda G: po.draw_pair_matrix(G, G), nx.Graph()),
    ]
    for draw, what in wrong:
        with pytest.raises(GraphTypeError, match="expected"):
            draw(what)


@pytest.mark.slow
def test_the_sequence_of_insertion_does_not_matter() -> None:
    drawn = []
    for items in ("abcd", "dbca"):
        graphs = [inserted(vote, items) for vote in ("badc", "abcd", "dcab", "abdc")]
        before = [(list(G), list(G.edges)) for G in graphs]
        P = po.preference_relation(graphs)
        calls: list[Any] = [
            lambda ax, items=items: po.draw_hasse(tangled(items), ax=ax),
            lambda ax, graphs=graphs: po.draw_comparison(*graphs[:2], ax=ax),
            lambda ax, graphs=graphs: po.draw_pair_matrix(*graphs[:2], ax=ax),
            lambda ax, graphs=graphs: po.draw_rankings(graphs, ax=ax),
            lambda ax, graphs=graphs: po.draw_rank_intervals(po.intersection(*graphs), ax=ax),
            lambda ax, P=P: po.draw_preferences(P, ax=ax),
            lambda ax, P=P: po.draw_thresholds(P, ax=ax),
            lambda ax, items=items: po.draw_systems(systems(items), ax=ax),
        ]
        drawn.append([pixels(call(bare(3))) for call in calls])
        assert before == [(list(G), list(G.edges)) for G in graphs], "drawing changes no graph"
    assert drawn[0] == drawn[1]


def systems(names: Any) -> SystemComparison:
    """Systems of which the first half by name is right, and the other half wrong."""
    right, wrong = (dict.fromkeys(range(8), own) for own in ([3, 2, 1], [1, 2, 3]))
    half = sorted(names, key=item_key)[: (len(names) + 1) // 2]
    given = {name: right if name in half else wrong for name in names}
    return po.compare_systems(right, given, measures="kendall_tau")


def tangled(items: str) -> nx.DiGraph:
    """Two items on a cycle, and two that are tied."""
    G = inserted("aba", items)
    nx.set_node_attributes(G, {"c": 1, "d": 1}, "tie")
    return G


def inserted(vote: str, items: str) -> nx.DiGraph:
    """A ranking whose items were added in another sequence."""
    G = nx.DiGraph()
    G.add_nodes_from(items)
    G.add_edges_from(pairwise(vote))
    return G


@pytest.mark.slow
def test_pyplot_is_imported_for_a_new_figure_only() -> None:
    program = (
        "import sys, porank as po; from matplotlib.figure import Figure;"
        "one = Figure().add_subplot; G = po.parse('a > b'); P = po.preference_relation([G]);"
        "po.draw_pair_matrix(G, G, ax=one()); po.draw_rankings([G, G], ax=one());"
        "po.draw_preferences(P, ax=one()); po.draw_thresholds(P, ax=one());"
        "po.draw_tradeoff(po.abstention_curve(P, G), ax=one());"
        "po.draw_rank_intervals(G, ax=one()); assert 'matplotlib.pyplot' not in sys.modules"
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
def test_many_items(picture: Picture) -> None:
    ax: Any = picture.draw(list(range(60)))
    assert misplaced_texts(ax) == []
    assert all(float(text.get_fontsize()) >= 5 for text in texts(ax))
