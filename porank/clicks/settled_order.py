"""The order that a log, or a table of counts, settles: `settled_order`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.abstention.settled import settle
from porank.clicks.pair_counts import counts_of
from porank.clicks.rules import rules_of
from porank.clicks.statements import read_statements, require_choices
from porank.clicks.taste_of_log import read_taste
from porank.clicks.watched_order import watched_order
from porank.core.arguments import require_margin, require_risk, require_risk_of_log
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    import networkx as nx


def settled_order(
    evidence: Any,
    *,
    risk: float = 0.05,
    margin: float | None = None,
    rule: Any = "levels",
    unit: str | None = None,
    anytime: bool = False,
    **reading: Any,
) -> nx.DiGraph:
    """Return the order that evidence settles: significant preferences, transitively closed.

    For a log: within the same list shown, and allowing for where they stood, more users (or judges,
    or sessions) chose u over v than chance explains. For bare counts of a pair u, v, in which a
    units prefer u and b units prefer v: a heads and b tails are not explained by a fair coin.

    Parameters
    ----------
    evidence : log, or counts
        A `ClickLog`, a table or a path; or counts of units: the graph of `from_log`, an
        ensemble from `preference_relation`, or the numbers of times that u was preferred to v, as
        the ``support`` or ``weight`` of u -> v in a graph, as a mapping (u, v) -> number, or as the
        entry in row u and column v of a square array or a frame whose rows and columns have the
        same names.
    risk : number in (0, 1)
        Maximum probability that at least one settled pair is false. For a log, at least 0.001
        unless `anytime`.
    margin : number, optional
        Log-odds of a preference below which two items count as equal enough, such as 0.2 for 55 to
        45 of 100. Half of the risk is then spent on open pairs that are called so. Without a
        margin, no pair is.
    rule : {"levels", "dwell"} or callable
        For a log, which items of a list are preferred to which: those at a higher level (bought
        over clicked over seen, or better rated), or those looked at longer.
    unit : {"user", "session"}, optional
        For a log, what is independent of each other. By default users, judges or annotators if the
        log names at least 20 of them, then prompts of battles, then sessions or battles. If judges
        share at least 20 prompts, the tests allow for the tastes of both.
    anytime : bool
        If True, for a log with times, you may look at a growing log as often as you like: the risk
        bounds the probability that any look ever settles a pair that the majority never preferred.
        This does not allow for places: what stands higher may be preferred for that.
    **reading
        How to read a table or path: ``columns``, ``events``, ``gap`` and ``errors``, as for
        `ClickLog`.

    Returns
    -------
    DiGraph
        The closed order on all items. Each edge has ``support`` and ``against``, the numbers of
        units that prefer u and that prefer v; ``p_value``, for a log adjusted for all pairs; and
        ``added``, True if it only follows by transitivity. The others have ``rests_on``, about
        the fewest units whose removal leaves the pair open (not for a log with more than 67 million
        settled pairs x units). `open_pairs` says why other pairs are open, among them those in
        cycles of settled preferences. Edges from a log also
        have ``gap``, the log-odds that u is chosen over v at equal places, with ``low`` and
        ``high``; these intervals hold together at 1 - `risk`, and are computed in one step, so
        `low` can be just below 0 for a pair that only a later step settles. Graph attributes are
        ``risk``, ``compared`` (number of pairs compared), ``significant`` (number of pairs that
        the evidence settles) and ``open`` (the reasons for open pairs).
        For a log also ``unit``, ``units``, ``fixed`` (the users or judges, if they are too few to
        stand for others), ``contradicted`` (pairs whose own
        comparisons go against the model, which are left open), ``perhaps_place`` (pairs that only
        the counts would settle, so place may explain them), ``counts`` (what is odd in the log, as
        for `preference_pairs`) and ``problems`` (the bad rows). For counts, ``limit`` (the p-value
        that one more pair would have needed).

    Raises
    ------
    PorankError
        If `risk` is not between 0 and 1, or too small for a log, a count is not a whole number >=
        0, or an option does not apply; if the log has no list in which one item is preferred to
        another; or, with `anytime`, if it has no times.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    open_pairs, why, explore, from_log, predict_order, fit_strengths

    Examples
    --------
    All ten units prefer tea to milk, and milk to water. Two units that compare tea and juice are
    too few.

    >>> import porank as po
    >>> counts = {("tea", "milk"): 10, ("milk", "water"): 10, ("tea", "juice"): 2}
    >>> order = po.settled_order(counts)
    >>> list(order.edges(data="added"))
    [('tea', 'milk', False), ('tea', 'water', True), ('milk', 'water', False)]
    >>> order["tea"]["milk"]
    {'added': False, 'support': 10, 'against': 0, 'p_value': 0.001953125, 'rests_on': 5}

    Tea usually stands at the top and is clicked there. In the same place, milk is clicked more
    often.

    >>> lists = [("tea", "milk", "tea")] * 120 + [("tea", "milk", "milk")] * 60
    >>> lists += [("milk", "tea", "milk")] * 54 + [("milk", "tea", "tea")] * 6
    >>> log = [{"session": k, "item": item, "position": place, "clicked": int(item == clicked)}
    ...        for k, (*items, clicked) in enumerate(lists)
    ...        for place, item in enumerate(items, 1)]
    >>> order = po.settled_order(log)
    >>> list(order.edges), order.graph["units"], order.graph["unit"]
    ([('milk', 'tea')], 240, 'session')

    With ``anytime=True`` you may look every day, but pairs are settled later.

    >>> log = {"session": range(30), "time": range(30), "model_a": ["x"] * 30,
    ...        "model_b": ["y"] * 30, "winner": ["x", "x", "x", "y", "x"] * 6}
    >>> for day in (10, 20, 30):
    ...     seen = {name: column[:day] for name, column in log.items()}
    ...     print(day, list(po.settled_order(seen, anytime=True).edges))
    10 []
    20 []
    30 [('x', 'y')]

    Notes
    -----
    For a log, item u at place j is chosen over v at place k of the same list with log-odds s[u] -
    s[v] + b[j] - b[k], with the terms b of places anew in each block of time, and for each query if
    the log has at most five, with 100 lists each. In lists of three or more items, a term c (H[v] -
    H[u]) is added, where H is the sum of exp(s) of the items above in the list, plus exp(s) / 2 of
    the item itself, with s at most 2 in H: users may stop before they come to what stands lower
    (see ``porank.clicks.taste_model``). Each unit's influence on the strengths gets a random sign,
    and a pair is significant if its gap is larger than the largest of all pairs in 95 % of the
    draws (step-down max-T [1]_). A pair is left open
    if its items nearly always stood the same way round, because taste and place cannot be told
    apart then. If judges share prompts, the variance of a gap is the one by judges plus the one by
    prompts minus the one by pairs of both [5]_.
    Users who read otherwise than others, and get other lists for a reason that the log
    does not show, can still mislead it.

    For counts, the test of a pair is the exact two-sided sign test. All pairs are tested together
    by Holm's procedure [3]_, in which pairs that are compared too rarely to be significant do not
    count (Tarone [2]_). Pairs within a strongly
    connected component of significant pairs contradict each other and are left open. For added
    edges, the risk also assumes that the majority of the population is transitive.

    With ``anytime=True``, a unit counts once for a pair, with the first of its sessions that
    compare it, in the order of the last times of sessions. With a units for u and b for v so far,
    the e-value of u over v is the mean of (2p)^a (2(1 - p))^b over p from 1/2 to 1. If units prefer
    u with a probability of at most 1/2, whatever came before, it exceeds x at any time with a
    probability of at most 1/x [4]_, and the inverse of the largest e-value so far is a p-value.
    Holm's procedure uses the p-values of all n(n - 1) ordered pairs of items. A significant pair
    can still be withdrawn: by a cycle that closes later, and by new items, which make the bound
    stricter.

    Time for a log: O(c t^2) for c comparisons of t terms of a unit, plus O(n^2) for each of 1,000
    draws, for n items; of more than 2,000 items, those that are compared most are tested. For
    counts: O(m log m) for m pairs, plus the time of `transitive_closure`.

    References
    ----------
    .. [1] P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing", Wiley, 1993.
    .. [2] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46(2), 1990,
       pp. 515-522. https://doi.org/10.2307/2531456
    .. [3] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979, pp. 65-70.
    .. [4] A. Ramdas, P. Grünwald, V. Vovk, G. Shafer, "Game-theoretic statistics and safe
       anytime-valid inference", Statistical Science 38(4), 2023, pp. 576-601.
       https://doi.org/10.1214/23-STS894
    .. [5] A. C. Cameron, J. B. Gelbach, D. L. Miller, "Robust inference with multiway clustering",
       Journal of Business & Economic Statistics 29(2), 2011, pp. 238-249.
       https://doi.org/10.1198/jbes.2010.07136
    """
    require_risk(risk)
    require_margin(margin)
    counts = counts_of(evidence)
    if counts is not None:
        given = {"rule": rule != "levels", "unit": unit is not None, "anytime": bool(anytime)}
        given |= dict.fromkeys(reading, True)
        for name in (name for name, is_given in given.items() if is_given):
            raise PorankError(f"expected a log, because {name}= applies to logs only, found counts")
        return settle(*counts, risk=float(risk), margin=margin)
    uses: dict[str, Any] = {"needs": ["time"], "uses": []} if anytime else {}
    asked = {"rule": rule_of_taste(rule), "unit": unit, **uses}
    statements = read_statements(evidence, **asked, **reading)
    require_choices(statements)
    if anytime:
        if margin is not None:
            raise PorankError(
                "cannot call pairs equal while a log grows: margin= excludes anytime="
            )
        return watched_order(statements, float(risk))
    require_risk_of_log(risk, margin=margin)
    return read_taste(statements, risk=float(risk), margin=margin).order()


#: The rules of porank by which the preferred item may stand anywhere.
TASTE_RULES = ("levels", "dwell")


def rule_of_taste(rule: Any) -> Any:
    """Return a rule, or raise an error if by it the preferred item nearly always stands lower."""
    for one in rules_of(rule, TASTE_RULES):
        if one.is_ours and one.name not in TASTE_RULES:
            raise PorankError(
                f"expected the rule {listed(TASTE_RULES, separator=' or ')}, found {one.name!r}, "
                "by which place and preference cannot be told apart",
                hint="from_log and preference_pairs take any rule",
            )
    return rule
