"""Make the pictures of README and the gallery: ``python -m docs.pictures.make [name ...]``.

Each is drawn whole for the width at which it is shown, so that its texts can be read. The picture
of a page needs chromium.
"""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stdout
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import porank as po
from docs.draw import examples_of
from porank.core.graphs import in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

#: Width in inches, and dots an inch.
WIDTH, DPI = 3.0, 200
TEAS = "Assam", "Ceylon", "Darjeeling", "Jasmine", "Oolong", "Sencha"
WORTH = {tea: 2.0**-place for place, tea in enumerate(TEAS)}


def votes(n: int) -> po.PreferenceRelation:
    """Return what voters prefer, of some teas."""
    return po.preference_relation(po.plackett_luce(dict(islice(WORTH.items(), n)), 21, seed=3))


def log(**how: Any) -> Axes:
    """Draw what a log settles, by the first code in the README."""
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()):
        for example in examples_of(Path(__file__).parents[2] / "README.md")[:4]:
            exec(example.source, names)
    return po.draw_hasse(names["report"].order(), **how)


def leaderboard(*, width: float, **how: Any) -> Axes:
    """Draw what battles settle about 41 models, not higher than other pictures."""
    dice, counts = np.random.default_rng(4), {}
    worth = {f"m{k}": 2.4 - 0.06 * k for k in range(1, 42)}
    for u, v in combinations(worth, 2):
        wins = int(dice.binomial(160, 1 / (1 + np.exp(worth[v] - worth[u]))))
        counts |= {(u, v): wins, (v, u): 160 - wins}
    ax = plt.subplots(figsize=(width, 1.6 * width), layout="constrained")[1]
    return po.draw_hasse(po.settled_order(counts), ax=ax, **how)


def systems(**how: Any) -> Axes:
    """Draw which systems differ significantly on 40 queries."""
    dice = np.random.default_rng(2)
    means = {"BM25": 0.42, "dense": 0.47, "hybrid": 0.55, "rerank": 0.57, "TF-IDF": 0.34}
    scores = {name: dice.normal(mean, 0.08, 40).tolist() for name, mean in means.items()}
    return po.draw_systems(po.compare_scores(scores), **how)


def tradeoff(**how: Any) -> Axes:
    """Draw correctness against completeness."""
    strengths = {item: 1.3**-item for item in range(12)}
    rankings = po.plackett_luce(strengths, 15, seed=1)
    curve = po.abstention_curve(po.preference_relation(rankings), po.from_ranking(range(12)))
    return po.draw_tradeoff(curve, **how)


LATTICE = po.divisor_lattice(60)
TWO_ORDERS = [po.random_order(9, dimension=2, seed=seed) for seed in (2, 5)]
OTHER = {"Ceylon": 1, "Assam": 2, "Jasmine": 3, "Sencha": 4, "Darjeeling": 5, "Oolong": 5}
TWO_RANKINGS = [po.from_ranking(TEAS), po.from_ranks(OTHER)]
PICTURES: dict[str, Callable[..., Axes]] = {
    "log": log,
    "hasse": partial(po.draw_hasse, LATTICE, highlight=po.up_set(LATTICE, 6) | {6}),
    "leaderboard": leaderboard,
    "intervals": partial(po.draw_rank_intervals, po.random_order(7, dimension=2, seed=4)),
    "comparison": partial(po.draw_comparison, *po.load_example("table1-corrected")),
    "matrix": partial(po.draw_pair_matrix, *TWO_ORDERS),
    "rankings": partial(po.draw_rankings, TWO_RANKINGS, names=["Ann", "Bob"]),
    "thresholds": partial(po.draw_thresholds, votes(3)),
    "preferences": partial(po.draw_preferences, votes(5)),
    "tradeoff": tradeoff,
    "systems": systems,
    "strengths": partial(po.draw_strengths, po.fit_strengths(po.plackett_luce(WORTH, 30, seed=5))),
    "positions": partial(po.draw_positions, po.simulate_log(WORTH, 2000, length=6, seed=1)),
    "dominance": partial(po.draw_dominance, po.random_order(9, dimension=2, seed=6)),
}


def drawn(draw: Callable[..., Axes]) -> Image.Image:
    """Return a picture in few colours, which makes its file small."""
    figure: Any = draw(width=WIDTH, title=None).figure
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI)
    plt.close(figure)
    return Image.open(data).convert("RGB").quantize(64)


def page() -> Image.Image:
    """Return the interactive page of an order as chromium shows it, with an item selected."""
    lattice = po.divisor_lattice(360)
    settings = quote(f'{{"picked":[{in_order(lattice).index(12)}]}}')
    with TemporaryDirectory() as folder:
        path, shot = Path(folder, "page.html"), Path(folder, "page.png")
        po.write_page(lattice, path, title="The divisors of 360")
        browser = ["chromium", "--headless", "--no-sandbox", "--window-size=900,620"]
        subprocess.run(
            [*browser, f"--screenshot={shot}", f"{path.as_uri()}#{settings}"], check=True
        )
        return Image.open(shot).convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE)


if __name__ == "__main__":
    plt.switch_backend("Agg")
    for name in sys.argv[1:] or [*PICTURES, "page"]:
        picture = page() if name == "page" else drawn(PICTURES[name])
        picture.save(Path(__file__).parent / f"{name}.png", optimize=True)
