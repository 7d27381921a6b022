"""What ``porank demo`` looks at: the click log of a café that does not exist, made by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.clicks.simulation import simulate_log
from porank.convert.scores import from_scores
from porank.generators.random_orders import plackett_luce

if TYPE_CHECKING:
    import networkx as nx

#: How much the visitors like each drink: an item twice as strong is chosen twice as often.
STRENGTHS = {
    "mocha": 16,
    "latte": 8,
    "cocoa": 8,
    "chai": 4,
    "mate": 2,
    "milk": 2,
    "tea": 1,
}
VISITS = 200
RULE = "click_over_skip_above"
_SHOWN = 4
_BALLOTS = 8
_SEED, _BALLOTS_SEED = 482, 3


def truth() -> nx.DiGraph:
    """Return what the visitors prefer in truth: stronger is better, equally strong is tied.

    Examples
    --------
    >>> truth().number_of_nodes()
    7
    """
    return from_scores(STRENGTHS)


def clicks() -> dict[str, list[Any]]:
    """Return the log of all visits, column by column: four drinks shown, read from the top.

    Examples
    --------
    >>> list(clicks())
    ['session', 'item', 'position', 'event', 'time']
    """
    log = simulate_log(STRENGTHS, VISITS, examination="cascade", length=_SHOWN, seed=_SEED)
    # Who looked at what is known here, and in no log that a server writes.
    return {name: column.tolist() for name, column in log.items() if name != "examined"}


def ballots() -> list[nx.DiGraph]:
    """Return rankings of all drinks, as so many guests write them down.

    Examples
    --------
    >>> len(ballots())
    8
    """
    return plackett_luce(STRENGTHS, _BALLOTS, seed=_BALLOTS_SEED)
