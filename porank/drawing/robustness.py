"""Two distances that never part: the footrule against Kendall's, for many pairs of rankings.

`draw_robustness` is the picture, of pairs that are given or simulated.

References
----------
.. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp. 571-580.
   https://doi.org/10.1145/1772690.1772749
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.clicks.simulation import simulate_log
from porank.convert.rankings import from_ranking
from porank.core.arguments import generator_of, require_count
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.drawing.axes import axes_for, make_room, number_gids, settle_caption, write
from porank.drawing.style import MUTED, PAPER, SERIES
from porank.errors import GraphTypeError, PorankError, a_kind, counted
from porank.measures.generalized import generalized_footrule, generalized_kendall
from porank.measures.positions import dcg_position_costs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from porank.typing import Seed


#: So many results to a simulated query, and so many people who see them.
_RESULTS, _SESSIONS = 10, 1000
#: The standard deviation of the logarithms of the strengths of results.
_SPREAD = 2.0
_NAMED = {"unit": "unit position costs", "dcg": "position costs of DCG"}


def draw_robustness(
    pairs: int | Iterable[tuple[Any, Any]] = 300,
    *,
    position_costs: str | Sequence[Any] = "unit",
    seed: Seed = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the footrule against Kendall's distance for many pairs of rankings, with bounds.

    Between two rankings K <= F <= 2 K, whatever positions cost [1]_. Given a number, that many
    queries are simulated: ten results shown in one sequence to 1,000 people, and the sequence of
    the same results by the number of clicks that they get.

    Parameters
    ----------
    pairs : int or iterable of (target, predicted)
        How many queries to simulate, or the pairs themselves.
    position_costs : {"unit", "dcg"} or sequence
        What it costs to move by a position, as for `generalized_kendall`: 1 everywhere, as in
        `dcg_position_costs`, or as given. All but ``"unit"`` are for total orders only.
    seed : int, Generator or None
        Where the randomness of the simulation comes from.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes
        Dots have the gid ``"pairs"``, at x = K and y = F, the larger the more pairs fall on them;
        the bounds are lines with the gids ``"lower"`` and ``"upper"``.

    Raises
    ------
    CycleError, ItemMismatchError
        If the two orders of a pair cannot be compared.
    NotApplicableError
        If positions have costs and an order is not total.
    PorankError
        If an argument is none of what is expected.

    See Also
    --------
    draw_rankings, footrule_distance, kendall_distance

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> abc, bca = po.from_ranking("abc"), po.from_ranking("bca")
    >>> ax = po.draw_robustness([(abc, bca), (abc, abc)])
    >>> (dots,) = (artist for artist in ax.collections if artist.get_gid() == "pairs")
    >>> sorted(dots.get_offsets().tolist())
    [[0.0, 0.0], [2.0, 4.0]]
    >>> plt.close(ax.figure)

    Notes
    -----
    Time that of the two distances for each pair, some 6 ms for each simulated query. In the
    simulation, logarithms of strengths are normal with deviation 2; results are shown by these and
    an error, whose deviation is drawn for each query from 0 to 4; people look at position k with
    probability 1/k. Results with the same number of clicks are put in sequence by a coin.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    from matplotlib.ticker import MaxNLocator

    if isinstance(position_costs, str) and position_costs not in _NAMED:
        raise PorankError(
            "expected position_costs to be one of 'unit', 'dcg' or a sequence of numbers, "
            f"found {position_costs!r}"
        )
    found, what = _read_pairs(pairs, seed)
    points = [
        _distances(target, predicted, position_costs)
        for target, predicted in track(found, label="pairs")
    ]
    source = counted(len(points), *what)
    costs = _NAMED[position_costs] if isinstance(position_costs, str) else "given position costs"
    titles = {"title": f"{source}: {costs}", "x": "Kendall's distance, K", "y": "footrule, F"}
    ax = axes_for(ax, size=(4.6, 3.8), keep=("left", "bottom"), **titles)
    end = 1.06 * max((kendall for kendall, _ in points), default=0.0) or 1.0
    is_whole = end > 1 and all(value == int(value) for pair in points for value in pair)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator("auto", integer=is_whole))
    ax.set(xlim=(-0.03 * end, end), ylim=(-0.06 * end, 2.1 * end))
    settle_caption(ax)
    make_room(ax, right=36)
    for gid, factor, name in (("lower", 1, "F = K"), ("upper", 2, "F = 2 K")):
        style: dict[str, Any] = {"color": MUTED, "linewidth": 1.0, "linestyle": "--"}
        ax.plot([0, end], [0, factor * end], gid=gid, zorder=1, **style)
        write(ax, name, (end, factor * end), shift=(3, 0), align=("left", "center"))
    _draw_points(ax, points)
    return number_gids(ax)


def _read_pairs(pairs: Any, seed: Seed) -> tuple[list[Any], tuple[str, str]]:
    """Return the pairs of rankings to draw distances of, given or simulated, and their names."""
    if isinstance(pairs, (int, np.integer)):
        count = require_count(pairs, name="pairs")
        found = list(_simulated(count, generator_of(seed)))
        return found, ("simulated query", "simulated queries")
    if isinstance(pairs, (str, nx.Graph)) or not isinstance(pairs, Iterable):
        raise GraphTypeError(
            "expected a number of queries to simulate, or pairs (target, predicted), "
            f"found {a_kind(pairs)}"
        )
    given = list(pairs)
    for number, pair in enumerate(given, start=1):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise PorankError(
                f"expected pairs (target, predicted), found {pair!r:.60} as number {number}"
            )
    return given, ("pair of rankings", "pairs of rankings")


def _simulated(count: int, rng: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Yield simulated pairs of rankings to draw distances of: results as shown, and by clicks."""
    for _ in range(count):
        quality = _SPREAD * rng.normal(size=_RESULTS)
        misjudged = rng.uniform(0, 2 * _SPREAD) * rng.normal(size=_RESULTS)
        shown = np.argsort(-quality - misjudged).tolist()
        strengths = dict(enumerate(np.exp(quality).tolist()))
        log = simulate_log(strengths, _SESSIONS, shown=shown, seed=rng)
        clicked = log["item"][log["event"] == "click"].astype(np.int64)
        clicks = np.bincount(clicked, minlength=_RESULTS)
        by_clicks = np.lexsort((rng.random(_RESULTS), -clicks)).tolist()
        yield from_ranking(shown), from_ranking(by_clicks)


def _distances(target: Any, predicted: Any, position_costs: Any) -> tuple[float, float]:
    """Return the place of the dot of a pair of rankings: Kendall's distance and the footrule."""
    costs = None if isinstance(position_costs, str) else position_costs
    if costs is None and position_costs == "dcg":
        costs = dcg_position_costs(len(compile_order(target, name="target").items))
    return (
        generalized_kendall(target, predicted, position_costs=costs),
        generalized_footrule(target, predicted, position_costs=costs),
    )


def _draw_points(ax: Axes, points: Sequence[tuple[float, float]]) -> None:
    """Draw a dot for each footrule and Kendall's distance that occur together."""
    # Sums of floats that should be equal differ by their rounding.
    often = Counter(tuple(float(f"{value:.12g}") for value in pair) for pair in points)
    unit = min(13.0, 130.0 / max(often.values(), default=1))
    sizes = [max(unit * count, 4.0) for count in often.values()]
    style: dict[str, Any] = {"color": SERIES[0][0].color, "edgecolors": PAPER, "linewidths": 0.5}
    x, y = [x for x, _ in often], [y for _, y in often]
    ax.scatter(x, y, s=sizes, alpha=0.75, zorder=2, gid="pairs", **style)
    ratios = [footrule / kendall for kendall, footrule in points if kendall > 0]
    if ratios:
        text = f"F / K from {min(ratios):.2f} to {max(ratios):.2f}"
        where: dict[str, Any] = {"align": ("left", "top"), "transform": ax.transAxes}
        write(ax, text, (0.03, 0.97), gid="ratio", **where)
