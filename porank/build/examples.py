"""The worked examples of the literature, and one of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.build.notation import parse
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    import networkx as nx

_TABLE_1_PREDICTED = "A; B; C; D; E; C > A > E; C > B > E; C > D > E"
_EXAMPLES = {
    "table1": (
        "A; B; C; D; E; A > C > D; A > D; A > E; B > D",
        _TABLE_1_PREDICTED,
    ),
    "table1-corrected": (
        "A; B; C; D; E; A > C > D; A > D; A > E; B > D; B > E",
        _TABLE_1_PREDICTED,
    ),
    "tutorial": (
        "E > B > C > A > D",
        "A > B > E > C > D",
    ),
    "cyclic-votes": (
        "a > b > c",
        "b > c > a",
        "c > a > b",
    ),
    "vehicles": (
        "SUVs > cars > vans > trucks",
        "cars > SUVs > vans > trucks",
        "SUVs > vans > cars > trucks",
        "SUVs > vans > trucks; cars > trucks",
    ),
}


def load_example(name: str) -> tuple[nx.DiGraph, ...]:
    """Return the graphs of a worked example.

    Parameters
    ----------
    name : str
        * ``"table1"``: target and predicted as Table 1 of [1]_ prints them.
        * ``"table1-corrected"``: the same with B > E added to the target. The values that the paper
          works out, 5/29 first of all, need this edge.
        * ``"tutorial"``: the target and the predicted ranking on which the tutorial [2]_ works out
          its distances.
        * ``"cyclic-votes"``: three voters who disagree in a circle, the case in which the
          prediction of [3]_ abstains from everything.
        * ``"vehicles"``: what three customers think of cars, vans, SUVs and trucks, and last the
          partial order on which they agree. The four kinds are those of the slides to [3]_; the
          votes are made up by us.

    Returns
    -------
    tuple of DiGraph

    Raises
    ------
    PorankError
        If there is no such example.

    Examples
    --------
    >>> target, predicted = load_example("table1")
    >>> list(target.edges)
    [('A', 'C'), ('A', 'D'), ('A', 'E'), ('B', 'D'), ('C', 'D')]
    >>> *customers, agreed = load_example("vehicles")
    >>> len(customers), list(agreed.edges)
    (3, [('SUVs', 'vans'), ('vans', 'trucks'), ('cars', 'trucks')])

    Notes
    -----
    Time linear in the texts, which are parsed anew at each call: the graphs may be changed.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR-WS Vol. 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    .. [2] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    .. [3] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010. https://doi.org/10.1007/978-3-642-15880-3_20
    """
    if name not in _EXAMPLES:
        raise PorankError(f"expected one of {listed(_EXAMPLES)}, found {name!r}")
    return tuple(map(parse, _EXAMPLES[name]))
