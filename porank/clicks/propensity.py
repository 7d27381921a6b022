"""Estimate how likely each position is looked at, from items that moved: `estimate_propensity`.

Idea: *an item is as attractive at one position as at another.* If item i at position k is clicked
with probability a_i p_k, where a_i is its attraction and p_k the probability that position k is
looked at, then its clicks are distributed over positions in proportion to n_ik p_k, where n_ik is
the number of its views there. The attraction a_i cancels, and items that did not move carry no
information. So the clicks of item i are a draw from the shares q_ik = n_ik p_k / sum_j n_ij p_j,
and the likelihood is concave in log p.

For two positions k and l, with c_ik clicks of item i at k, S_kl = sum_i (c_ik q_il - c_il q_ik) is
0 on average, because each item is compared with itself at equal exposure. The maximum-likelihood
estimate makes the sum of S_kl over l zero for each k; a test checks that the single S_kl are near
0, too. All variances are sums of squares over sessions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np
from scipy import special

from porank.clicks.click_log import ClickLog
from porank.clicks.log import Wanted
from porank.clicks.preference_pairs import effective_size
from porank.core.arguments import require_level
from porank.core.arrays import in_parts, ranges, run_bounds
from porank.core.tables import Columns, Table, Tabular
from porank.errors import PorankError, counted, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

    Floats = NDArray[np.float64]


#: Number of positions, from the highest, whose pairs are tested for fit.
_TESTED = 10
#: Minimum number of items that moved and were clicked for the test of trust.
_LEAST_ITEMS = 5
#: Maximum number of cells in the table of views by item and position.
_MOST_CELLS = 10**8
#: How many numbers are in memory at a time.
_BLOCK = 1 << 21


@dataclass(frozen=True, eq=False)
class PropensityEstimate(Columns, Tabular):
    """The propensity of each position, as returned by `estimate_propensity`.

    It is also a function of the position, so ``ClickLog(log, propensity=estimate)`` weights by it.

    Attributes
    ----------
    columns : dict of arrays
        ``position``; ``views`` and ``clicks``, the numbers of views and clicks at the position;
        ``propensity``, relative to the first of these positions, with the bounds ``lower`` and
        ``upper`` of its confidence interval.
    left_out : tuple of int
        Positions that the clicks on items that moved do not link to the others in both directions.
    moved : int
        Number of items with views at two or more of the positions; with queries, an item counts
        once per query.
    pairs : int
        Number of pairs of positions at which some item was seen.
    level : float
        Confidence level of each interval.
    chi_square, df, fit_p_value : float, int, float
        Test of the model with one propensity for each position, against a separate ratio for each
        pair of positions, among the ten highest.
    trust_p_value : float
        p-value of a one-sided test that is small if clicks at the first of the positions exceed the
        model as they would with trust bias. It is also small if people stop reading at a click. nan
        with clicks on fewer than five items that moved.
    effective_clicks : float
        Kish's effective sample size of the clicks with weights w = 1 / propensity: (sum w)**2 /
        (sum w**2).

    See Also
    --------
    estimate_propensity, draw_positions

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 2, "milk": 1}, 500, examination=[1, 0.4], seed=0)
    >>> estimate = po.estimate_propensity(log)
    >>> estimate(2) == estimate["propensity"][1].item(), estimate.moved, estimate.left_out
    (True, 2, ())
    """

    columns: dict[str, NDArray[Any]]
    left_out: tuple[int, ...]
    moved: int
    pairs: int
    level: float
    chi_square: float
    df: int
    fit_p_value: float
    trust_p_value: float
    effective_clicks: float

    def __call__(self, position: int) -> float:
        """Return the propensity of a position as a weight, relative to the largest one."""
        position_at = self["position"].tolist()
        if position not in position_at:
            raise PorankError(
                f"expected one of the estimated positions {listed(position_at)}, found {position}; "
                f"left_out is {self.left_out}",
                hint="to set one by hand, pass a mapping such as {k: estimate(k) for k in "
                f"estimate['position']}} | {{{position}: 0.1}}; settled_order(log, "
                "balance='place') needs no propensities",
            )
        share = self["propensity"] / self["propensity"].max()
        return float(share[position_at.index(position)])

    def to_table(self) -> Table:
        """Return the positions as a table to print."""
        return Table(self.keys(), list(self))

    def notes(self) -> list[str]:
        """Return sentences about the data of the estimate, the fit of the model, and omissions."""
        moved, pairs = counted(self.moved, "item"), counted(self.pairs, "pair")
        weighed = f"Weighted by 1 / propensity, {self['clicks'].sum():,} clicks have"
        fits = "does not fit" if self.fit_p_value < _RISK else "fits"
        test = f"chi-square {self.chi_square:.4g}, df {self.df}, p = {self.fit_p_value:.2g}"
        trust = _TRUST if self.trust_p_value < _RISK else _NO_TRUST
        notes = [
            f"{moved} moved between {pairs} of positions; intervals have level {self.level:g}.",
            f"{weighed} an effective sample size of {self.effective_clicks:,.0f}.",
        ]
        if self.df:
            notes.append(f"The model with one propensity for each position {fits} ({test}).")
        if not math.isnan(self.trust_p_value):
            notes.append(trust.format(self["position"][0], self.trust_p_value))
        if self.left_out:
            left_out = listed(self.left_out)
            notes.append(
                f"Positions left out, because clicks do not link them to the others: {left_out}."
            )
        return notes


#: Notes on trust in a position, if the test does not find it, and if it does.
_NO_TRUST = "No sign of trust in position {} (p = {:.2g}); this does not show that there is none."
_TRUST = (
    "At position {}, less attractive items get more clicks than attention explains "
    "(p = {:.2g}): people may trust it, or stop reading at a click. Then propensities are wrong."
)
#: Tests with smaller p-values count as significant.
_RISK = 0.05


class _Entries(NamedTuple):
    """Views in rows: the session, the item, its position, and whether it was clicked."""

    session: Numbers
    item: Numbers
    position: Numbers
    clicked: NDArray[np.bool_]

    def take(self, mask: Any) -> _Entries:
        """Return some of the rows, with sessions, items and positions renumbered."""
        session, item, position, clicked = (column[mask] for column in self)
        session, item, position = (
            np.unique(column, return_inverse=True)[1] for column in (session, item, position)
        )
        return _Entries(session, item, position, clicked)

    def counts(self) -> tuple[Floats, Floats]:
        """Return views and clicks of each item (row) at each position (column)."""
        shape = self.item.max(initial=-1) + 1, self.position.max(initial=-1) + 1
        cell = self.item * shape[1] + self.position
        views, clicks = (
            np.bincount(cell, weights=weights, minlength=shape[0] * shape[1]).reshape(shape)
            for weights in (np.ones(cell.size), self.clicked)
        )
        return views, clicks

    def seen_both_ways(self) -> Floats:
        """Return for each position the share of pairs with an item there that are seen both ways.

        Each list counts each of its pairs. A pair is seen both ways if each of its items stood
        above the other in some list. Positions that only occur in lists of one item have nan.
        """
        order = np.lexsort((self.position, self.session))
        session, item, position = (column[order] for column in self[:3])
        here, (_, end) = np.arange(order.size), run_bounds(session)
        above, below = np.repeat(here, end - here - 1), ranges(here + 1, end)
        one, other, is_first = item[above], item[below], item[above] < item[below]
        code = np.where(is_first, one, other) * (item.max(initial=0) + 1)
        pair = np.unique(code + np.where(is_first, other, one), return_inverse=True)[1]
        first, second = (np.bincount(pair, mask) for mask in (is_first, ~is_first))
        is_both = ((first > 0) & (second > 0))[pair]
        places, size = np.concatenate([position[above], position[below]]), position.max() + 1
        both, all_pairs = (np.bincount(places, w, size) for w in (np.tile(is_both, 2), None))
        return np.where(all_pairs, both / np.maximum(all_pairs, 1), np.nan)


def estimate_propensity(log: Any, *, level: float = 0.95) -> PropensityEstimate:
    r"""Return how likely each position is looked at, estimated from items that moved.

    The model assumes that item i at position k is clicked with probability a_i p_k, where a_i is
    the attraction of the item. The propensity of position k is p_k, relative to that of the highest
    position. It is estimated by maximum likelihood from the positions at which each item is
    clicked; the attractions cancel.

    Parameters
    ----------
    log : ClickLog, table or path
        The log, with positions and with views that were not clicked. If the log has a column
        ``query``, items are compared with themselves only within a query.
    level : float
        Confidence level of each interval.

    Returns
    -------
    PropensityEstimate
        The propensity, > 0, of each position that clicked items link to the highest one, with
        intervals and tests of the model. It prints as a table.

    Raises
    ------
    PorankError
        If no clicked item moved, or all views were clicked; otherwise as for `preference_pairs`.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    draw_positions, ClickLog, evidence_table

    Examples
    --------
    People look at the second position half as often as at the first:

    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "juice": 1}, 4000, examination=[1, 0.5, 0.2],
    ...                       seed=1)
    >>> estimate = po.estimate_propensity(log)
    >>> print(estimate.to_table())
    position  views  clicks  propensity   lower   upper
    --------  -----  ------  ----------  ------  ------
           1   4000    2033           1       1       1
           2   4000     982      0.4815  0.4554  0.5091
           3   4000     374      0.1846  0.1674  0.2036

    So a click at the third position has a weight of more than five:

    >>> round(1 / estimate(3), 2)
    5.42
    >>> weighed = po.ClickLog(log, propensity=estimate)
    >>> po.preference_pairs(weighed, by=()).counts.clipped
    0

    Notes
    -----
    Time O(r log r + i K) for r rows, i items that moved and K positions, plus O(K**2) for each
    session. The variance is the infinitesimal jackknife over sessions, the limit of the bootstrap
    of sessions, with residuals divided by the square root of 1 - leverage. Intervals use quantiles
    of t, with degrees of freedom for the number of sessions that would give as good a variance if
    all had equal influence. The model assumes that items do not change over time, and that a click
    on one item does not keep users from clicking others. The tests can find that the model fails,
    but cannot show that it holds.

    A position is linked to another one if an item was seen at both and clicked at the first. A
    position is left out unless chains of such links lead from it to the first linked positions, and
    back.

    References
    ----------
    .. [1] A. Agarwal, I. Zaitsev, X. Wang, C. Li, M. Najork, T. Joachims, "Estimating position bias
       without intrusive interventions", WSDM 2019, pp. 474-482.
       https://doi.org/10.1145/3289600.3291017
    .. [2] A. Agarwal, X. Wang, C. Li, M. Bendersky, M. Najork, "Addressing trust bias for unbiased
       learning-to-rank", WWW 2019, pp. 4-14. https://doi.org/10.1145/3308558.3313697
    """
    require_level(level)
    return propensity_of(*read_entries(log), level=level)


def propensity_of(
    positions: Numbers, entries: _Entries, *, level: float = 0.95
) -> PropensityEstimate:
    """Return the propensity of each position, from the result of `read_entries`."""
    views, clicks = entries.counts()
    kept = _joined(views, clicks)
    sums = {"views": views.sum(axis=0), "clicks": clicks.sum(axis=0)}
    if kept.size < 2:
        moved = np.count_nonzero((views > 0).sum(axis=1) > 1)
        swaps = "to learn where people look, swap neighbours in some of the lists"
        raise PorankError(
            "expected items that were seen and clicked at several positions, found "
            f"{moved} of {len(views)} seen at two or more, and no clicks that link two positions",
            hint="a longer log may have clicks on them at two positions" if moved else swaps,
        )
    fit = _Fit(entries.take(_moved(entries, views, kept)))
    theta, margin = fit.theta, fit.margins(1 - require_level(level))
    columns = {"position": positions[kept]}
    columns |= {name: column[kept].astype(np.int64) for name, column in sums.items()}
    bounds = {"propensity": theta, "lower": theta - margin, "upper": theta + margin}
    columns |= {name: np.exp(column) for name, column in bounds.items()}
    return PropensityEstimate(
        columns,
        tuple(np.delete(positions, kept).tolist()),
        len(fit.views),
        int(np.count_nonzero(np.triu(fit.joint, 1))),
        float(level),
        *fit.tests(),
        effective_size(1 / columns["propensity"], columns["clicks"]),
    )


def read_entries(log: Any) -> tuple[Numbers, _Entries]:
    """Return the positions of a log, ascending, and its entries, with positions by number."""
    wanted = Wanted({}, ("item",), needs=["event", "position"], wishes=["query"], cut="query")
    read = ClickLog.of(log).asked(wanted)
    columns: list[list[NDArray[Any]]] = [[np.zeros(0, dtype=np.int64)] for _ in range(4)]
    for sessions in read.sessions():
        if "event" not in sessions.rows:
            raise PorankError(f"expected views and clicks, found a log of {read.shaped.name}")
        query = sessions.first_of_entries("query") if "query" in sessions.rows else 0
        item = query * len(read.labels["item"]) + sessions.item
        found = sessions.session, item, sessions.position.astype(np.int64), sessions.clicked
        for column, part in zip(columns, found, strict=True):
            column.append(part)
    session, item, position, clicked = map(np.concatenate, columns)
    if clicked.size and clicked.all():
        raise PorankError("expected some items without a click, found clicks on all of them")
    positions, items = np.unique(position), np.unique(item).size
    if positions.size * items > _MOST_CELLS:
        raise PorankError(
            f"cannot count views of each item at each position: {positions.size:,} positions of "
            f"{items:,} items are too many"
        )
    entries = _Entries(session, item, position, clicked.astype(bool))
    return positions, entries.take(slice(None))


def _joined(views: Floats, clicks: Floats) -> Numbers:
    """Return the numbers of the positions that clicked items link to the highest linked one."""
    leads = (views > 0).astype(np.float64).T @ clicks > 0
    graph = nx.from_numpy_array(leads, create_using=nx.DiGraph)
    components = [sorted(some) for some in nx.strongly_connected_components(graph) if len(some) > 1]
    return np.array(min(components, default=[]), dtype=np.int64)


def _moved(entries: _Entries, views: Floats, kept: Numbers) -> NDArray[np.bool_]:
    """Return which rows are at one of the kept positions, and of items that moved between them."""
    is_moved = np.count_nonzero(views[:, kept], axis=1) > 1
    mask: NDArray[np.bool_] = is_moved[entries.item] & np.isin(entries.position, kept)
    return mask


class _Fit:
    """Maximum-likelihood propensities of some entries, and their variances.

    Items are rows and positions are columns. `shares` holds the q_ik. `joint` at k, l is the sum of
    C_i q_ik q_il over items, where C_i is the number of clicks of item i.
    """

    def __init__(self, entries: _Entries) -> None:
        self.entries = entries
        self.views, self.clicks = entries.counts()
        self.of_item = self.clicks.sum(axis=1)
        self.theta = np.zeros(self.views.shape[1])
        for _ in range(_MOST_STEPS):
            self._share()
            step = self.inverse @ (self.clicks.sum(axis=0) - self.of_item @ self.shares)
            step -= step[0]
            # A full step may lead too far; near the end these are Newton steps.
            self.theta = self.theta + step / (1 + np.abs(step).max())
            if np.abs(step).max() < _PRECISION:
                break
        self._share()
        self.tested = np.triu_indices(min(self.theta.size, _TESTED), 1)
        self.moments = self._second_moments()

    def _share(self) -> None:
        """Compute what depends on theta."""
        exposed = self.views * np.exp(self.theta)
        self.exposure = exposed.sum(axis=1)
        self.shares = exposed / self.exposure[:, None]
        self.joint = (self.shares * self.of_item[:, None]).T @ self.shares
        self.information = np.diag(self.of_item @ self.shares) - self.joint
        # Only differences of theta are determined.
        mean = self.information.trace() / self.theta.size
        self.inverse = np.linalg.inv(self.information + mean)

    def margins(self, share: float) -> Floats:
        """Return the half-widths of the intervals of theta, at confidence level 1 - share."""
        k = self.theta.size
        # Even if all clicks agree, there is uncertainty: add some that vary as in the model.
        more = _MORE_CLICKS / self.of_item.sum() * self.information
        covariance = self.inverse @ (self.moments[:k, :k] + more) @ self.inverse
        variance = covariance.diagonal() - 2 * covariance[0] + covariance[0, 0]
        influence = self.scores @ self.inverse
        squares = (influence - influence[:, :1]) ** 2
        # Number of sessions with equal influence that would give as good a variance.
        alike = squares.sum(axis=0) ** 2 / np.maximum((squares**2).sum(axis=0), _TINY**4)
        t = special.stdtrit(np.maximum(alike, _LEAST_FREEDOM), share)
        margins: Floats = t * np.sqrt(np.maximum(variance, 0))
        return margins

    def _second_moments(self) -> Floats:
        """Return sums over sessions of products of what each contributes to scores and tests.

        The contributions are those to the scores of theta, to the S_kl of the highest positions,
        and to the sum of trust.
        """
        session, item, position, clicked = self.entries
        k = self.theta.size
        leverage = np.exp(self.theta)[position] / self.exposure[item]
        residual = (clicked - leverage * self.of_item[item]) / np.sqrt(1 - leverage)
        trust = np.bincount(session, self.slopes_of_trust() * residual)
        self.scores = np.zeros((trust.size, k))
        moments: Floats = np.zeros((k + self.tested[0].size + 1,) * 2)
        for part in in_parts(trust.size, max(1, _BLOCK // k**2)):
            rows = slice(*np.searchsorted(session, [part.start, part.stop]).tolist())
            added = np.zeros((part.stop - part.start, k, k))
            added[session[rows] - part.start, position[rows]] = (
                residual[rows, None] * self.shares[item[rows]]
            )
            added -= added.transpose(0, 2, 1)
            self.scores[part] = added.sum(axis=2)
            each = np.column_stack([self.scores[part], added[:, *self.tested], trust[part]])
            moments += each.T @ each
        return moments

    def _parts(self) -> tuple[Floats, ...]:
        """Return each item's exposure and clicks, at the first position and elsewhere; a sum."""
        first, top = self.views[:, 0], self.clicks[:, 0]
        weighed = (self.clicks * np.exp(self.theta))[:, 1:].sum(axis=1)
        return first, self.exposure - first, top, self.of_item - top, weighed

    def sums_of_trust(self) -> Floats:
        """Return for each item the sum of y_t (y_r p_s - y_s p_r) over any views r, s, t.

        Here y is 1 for clicks, r is at the first position, and s is elsewhere. The sum is 0 on
        average; it is below 0 for items with little attraction if clicks at the first position have
        a part that does not grow with attraction. Each item has the weight 1 / exposure**2.
        """
        first, rest, top, below, weighed = self._parts()
        sums = rest * top * (top - 1) + top * below * (rest - first + 1)
        sums = (sums - top * weighed - first * below * (below - 1)) / self.exposure**2
        return np.asarray(sums)

    def slopes_of_trust(self) -> Floats:
        """Return what a click in each row adds to the sum of trust."""
        _, item, position, clicked = self.entries
        first, rest, top, below, weighed = (part[item] for part in self._parts())
        both = rest - first + 1
        at_first = 2 * rest * (top - clicked) + below * both - weighed
        elsewhere = top * (both - np.exp(self.theta)[position]) - 2 * first * (below - clicked)
        slopes: Floats = np.where(position == 0, at_first, elsewhere) / self.exposure[item] ** 2
        return slopes

    def tests(self) -> tuple[float, int, float, float]:
        """Return chi-square, df and p-value of the test of all pairs, and the p-value of trust."""
        (a, b), k = self.tested, self.theta.size
        compared = self.clicks.T @ self.shares
        found = np.append((compared - compared.T)[a, b], self.sums_of_trust().sum())
        # Derivatives with respect to theta, to remove the effect of fitting theta.
        slopes, row = np.zeros((a.size + 1, k)), np.arange(a.size)
        slopes[row, b], slopes[row, a] = self.joint[a, b], -self.joint[a, b]
        # Attraction squared, estimated from pairs of views, times exposure.
        squares = self.exposure**2 - self.views @ np.exp(2 * self.theta)
        liked = self.of_item * (self.of_item - 1) / squares * self.exposure * self.shares[:, 0]
        slopes[-1] = liked @ self.shares
        slopes[-1, 0] -= liked.sum()
        remains = np.hstack([slopes @ self.inverse, np.eye(a.size + 1)])
        variance = remains @ self.moments @ remains.T
        scale = variance.diagonal()
        is_tested = scale > _TINY * self.moments.diagonal()[k:]
        is_found = is_tested[-1] and np.count_nonzero(self.of_item) >= _LEAST_ITEMS
        p_value = NormalDist().cdf(found[-1] / math.sqrt(scale[-1])) if is_found else math.nan
        pairs = np.flatnonzero(is_tested[:-1])
        root = np.sqrt(scale[pairs])
        values, vectors = np.linalg.eigh(variance[np.ix_(pairs, pairs)] / np.outer(root, root))
        is_free = values > _TINY
        chi_square = float(
            ((vectors.T @ (found[pairs] / root))[is_free] ** 2 / values[is_free]).sum()
        )
        df = int(is_free.sum())
        return chi_square, df, float(special.chdtrc(df, chi_square)) if df else math.nan, p_value


#: When Newton's method stops; a dozen steps are usual.
_PRECISION, _MOST_STEPS = 1e-10, 200
#: Number of clicks, varying as in the model, that are added for the variance.
_MORE_CLICKS = 4
#: Minimum degrees of freedom of the t quantiles.
_LEAST_FREEDOM = 4
#: Relative variances below this count as 0.
_TINY = 1e-9
