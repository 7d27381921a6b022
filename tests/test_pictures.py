"""What holds for every picture: names that fit, no warnings, the same picture every time."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import porank as po
from porank.core.graphs import item_key
from porank.drawing.axes import image_of
from porank.drawing.item_rows import draw_segments
from porank.drawing.page.notebook import html_of
from porank.results import SegmentComparison, SegmentPair
from tests.support.drawn import bare, blank, by_gid, misplaced_texts, pixels, texts

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
    one = SegmentPair("", "", (1.4, -0.8), 0.01)
    pairs = [one._replace(preferred=u, other=v) for u, v in pairwise(items)]
    alike = [one._replace(preferred=v, other=u, p_value=1.0) for u, v in pairwise(items)]
    found = tuple(pairs[::2] + alike[1::2])
    return SegmentComparison("device", ("phone", "desk"), "user", (10, 12), found, 0.05)


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
    "rankings": (lambda items: [rankings(items)], "items tie item title count"),
    "thresholds": (lambda items: [relation(items)], "pairs end cover threshold place"),
    "tradeoff": (lambda items: [curve(items)], "curve level minimal key"),
    "rank_intervals": (lambda items: [partial(items)], "probabilities interval expected key"),
    "segments": (lambda items: [segments(items)], "parted alike first second key"),
    "positions": (lambda items: [shuffled(items)], "rate odds interval key"),
}

pictures = pytest.mark.parametrize("name", PICTURES)
odd = pytest.mark.filterwarnings("ignore:no installed font")
BASELINES = Path(__file__).parent / "baselines"

NAMES, STORED = (
    [*PICTURES, "systems", "dominance", "highlight"],
    ["tea", "milk", "cocoa", "Ærø", "x"],
)

#: The stored pictures have so many cells; a cell is the mean of some hundred pixels.
CELLS = (40, 30)
#: A shift by a pixel changes a cell by a few of 255 shades; a line that is missing by far more.
MOST, MEAN = 24, 1.5


def draw(name: str, items: list[Any], **options: Any) -> Any:
    function = draw_segments if name == "segments" else getattr(po, f"draw_{name}")
    return function(*PICTURES[name][0](items), **options)


@pytest.mark.slow
@odd
@pictures
def test_texts_fit_and_in_a_figure_with_others_each_id_occurs_once(name: str) -> None:
    ax = draw(name, ODD)
    assert len(plt.get_fignums()) == 1
    assert misplaced_texts(ax) == []
    assert misplaced_texts(draw(name, LONG, ax=Figure((4, 3)).add_subplot())) == []
    for n in (0, 1):
        assert draw(name, list(range(n)), ax=bare()).get_title()
    ax, around = blank(), (0.5, 0.5, 0.5, 0.5)
    by_hand = ax.figure.figure.add_axes(around)
    assert draw(name, ODD[2:7], ax=ax) is ax
    draw(name, list("abcde"), ax=by_hand)
    assert by_hand.get_position().bounds == pytest.approx(around), "by hand, it stays"
    ax.figure.figure.savefig(data := io.BytesIO(), format="svg")
    ids = re.findall(' id="([^"]*)"', data.getvalue().decode())
    assert len(ids) == len(set(ids))
    assert [gid for gid in PICTURES[name][1].split() if not by_gid(ax, gid)] == []
    assert any(each.endswith("-2") for each in ids)
    assert len(plt.get_fignums()) == 1


@pytest.mark.slow
@pictures
def test_text_has_seven_to_nine_points_in_a_column_and_on_a_page(name: str) -> None:
    widths: list[tuple[Any, ...]] = [("column", 3.3, 25), ("page", 6.5, 9), (4, 4, 3)]
    for width, inches, n in widths:
        ax: Any = draw(name, [f"item {k}" for k in range(n)], width=width, title=None)
        assert ax.figure.get_size_inches()[0] == inches
        assert (ax.get_title(), bool(po.alt_text(ax))) == ("", True)
        assert {7 <= float(text.get_fontsize()) <= 9 for text in texts(ax)} == {True}
        assert misplaced_texts(ax) == []
    assert draw(name, list("ab"), title="Mine", ax=bare()).get_title() == "Mine"


def drawn(name: str, items: list[Any], **options: Any) -> Any:
    """A picture of each kind, those of systems and of two rankings, too."""
    if name == "systems":
        return po.draw_systems(systems(items), **options)
    return (
        po.draw_dominance(partial(items), **options)
        if name == "dominance"
        else draw(name, items, **options)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PICTURES, "systems", "dominance"])
@pytest.mark.parametrize("n", [6, 60])
def test_at_two_inches_no_text_is_cut_or_meets_another(name: str, n: int) -> None:
    for width in (2, 3.3):
        ax = drawn(name, [f"tea with lemon and oat milk {k}" for k in range(n)], width=width)
        ax.figure.canvas.draw()
        parts = [ax, *ax.child_axes]
        assert [misplaced_texts(part) for part in parts] == [[] for _ in parts]
        assert {7 <= float(text.get_fontsize()) <= 9 for text in texts(ax)} == {True}
        assert ax.get_window_extent().width > 36 * ax.figure.dpi / 72, "half an inch for the data"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PICTURES, "systems"])
def test_no_text_is_given_to_tex(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a text was given to TeX")

    for method in ("make_dvi", "get_text_width_height_descent", "get_rgba"):
        monkeypatch.setattr(f"matplotlib.texmanager.TexManager.{method}", refuse)
    items = [r"\input{a}", "$5", "x_1", "#", "50%"]
    with mpl.rc_context({"text.usetex": True}):
        for ax in (None, bare()):
            drawn = (
                po.draw_systems(systems(items), ax=ax)
                if name == "systems"
                else draw(name, items, ax=ax)
            )
            figure: Any = drawn.figure.figure
            figure.savefig(io.BytesIO(), format="svg")
            own = [text for text in texts(drawn) if text.get_text()]
            assert own
            assert not any(text.get_usetex() for text in own)


@pytest.mark.slow
def test_eight_threads_write_the_same_pages() -> None:
    order, before = po.parse("a > b"), dict(mpl.rcParams)

    def pages(_: int) -> tuple[str | bytes, ...]:
        po.write_page(order, page := io.StringIO())
        # A report has such pictures.
        return page.getvalue(), html_of(order), image_of(lambda: po.draw_hasse(order), ".svg")

    with ThreadPoolExecutor(8) as pool:
        assert {*pool.map(pages, range(16))} == {pages(0)}
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


def coarse(name: str) -> np.ndarray[Any, Any]:
    """Return a picture as shades of grey, a few cells high and wide."""
    with mpl.rc_context(mpl.rcParamsDefault | {"font.family": "DejaVu Sans"}):
        ax: Any = blank(4, 3)
        if name in PICTURES:
            draw(name, STORED, ax=ax)
        elif name == "systems":
            po.draw_systems(systems(STORED), ax=ax)
        elif name == "dominance":
            po.draw_dominance(po.parse("tea > milk > cocoa; tea > x > cocoa; Ærø > x"), ax=ax)
        else:
            G = po.parse("a > b ~ c > d; e > f > e; f > d; a > x > d")
            po.draw_hasse(G, highlight={"a", "x"}, ax=ax)
        ax.figure.canvas.draw()
        picture = Image.fromarray(np.asarray(ax.figure.canvas.buffer_rgba())).convert("L")
    return np.asarray(picture.resize(CELLS, Image.Resampling.BOX), dtype=np.int64)


@pytest.mark.parametrize("name", NAMES)
def test_picture_is_as_stored(name: str) -> None:
    """Coarse and in grey: other versions of Matplotlib pass, too."""
    stored = np.asarray(Image.open(BASELINES / f"{name}.png"), dtype=np.int64)
    difference = np.abs(coarse(name) - stored)
    assert difference.mean() < MEAN
    assert difference.max() < MOST


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
        "import sys; from tests.test_pictures import PICTURES, bare, draw;"
        "sys.modules.pop('matplotlib.pyplot');"
        "[draw(name, list('abc'), ax=bare()) for name in PICTURES];"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], cwd=Path(po.__file__).parents[1], check=True)


@pytest.mark.slow
@pictures
def test_texts_of_sixty_items_fit_and_can_be_read(name: str) -> None:
    ax: Any = draw(name, list(range(60)))
    assert misplaced_texts(ax) == []
    assert all(float(text.get_fontsize()) >= 7 for text in texts(ax))


TOO_LONG = po.from_ranking([10**4300, 1])


@pytest.mark.parametrize(
    "draw",
    [
        *(po.draw_hasse, po.draw_rank_intervals, po.to_tikz, po.format_order),
        *(lambda G: po.draw_comparison(G, G), lambda G: po.draw_pair_matrix(G, G)),
        *(
            lambda G: po.draw_rankings([dict.fromkeys(G, 1)]),
            lambda G: po.write_page(G, io.StringIO()),
        ),
        lambda G: po.write_comparison_page(G, G, io.StringIO()),
        lambda G: po.write_voting_page(G, io.StringIO()),
    ],
)
def test_an_int_that_python_does_not_write_is_refused(draw: Any) -> None:
    with pytest.raises(po.PorankError, match=r"cannot write an item of type int: .*4300 digits"):
        draw(TOO_LONG)
    assert repr(TOO_LONG) == "<graph of 2 items, 1 edge>"
    assert TOO_LONG._repr_html_() == "<p>&lt;graph of 2 items, 1 edge&gt;</p>"


if __name__ == "__main__":
    # After one has looked at them, those that are named, or all, are written anew.
    for each in sys.argv[1:] or NAMES:
        Image.fromarray(coarse(each).astype(np.uint8)).save(BASELINES / f"{each}.png")
        sys.stdout.write(f"{BASELINES / each}.png\n")
