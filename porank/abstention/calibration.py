"""A calibrated threshold, which bounds the mean loss of predictions for new groups.

`calibrate_threshold` finds it from groups whose true orders are known, and a `CalibratedThreshold`
predicts new groups.

Idea: *if a pair is reversed at one threshold, it is reversed at every lower one, because cuts and
their closures are nested.* So, from its minimal threshold on, the loss of a group never rises with
the threshold. The mean loss of new groups is bounded by the losses of the known groups and of one
more group with the worst loss.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import abstention_curve
from porank.abstention.degrees import read_share
from porank.abstention.prediction import predict_order
from porank.abstention.thresholds import minimal_threshold, write_order
from porank.core.progress import track
from porank.core.tables import html_of
from porank.errors import CycleError, PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import networkx as nx

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import OrderLike


@dataclass(frozen=True)
class CalibratedThreshold:
    """The threshold found by `calibrate_threshold`, and its guarantee.

    Attributes
    ----------
    alpha : Fraction or None
        The threshold; None if it is above every degree, so only the empty order meets the risk.
    risk : Fraction
        Bound of the mean loss of new groups.
    groups : int
        Number of groups from which the threshold was found.
    mean_loss, completeness : float
        Mean loss and completeness of the predictions for these groups.

    See Also
    --------
    calibrate_threshold, PartialRanker

    Examples
    --------
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "abc", "acb", "bac")])
    >>> found = po.calibrate_threshold([P] * 19, [po.from_ranking("abc")] * 19, risk=0.05)
    >>> po.format_order(found.predict(P)), str(found.threshold(P)), found.completeness
    ('a > b > c', '1/2', 1.0)
    """

    alpha: Fraction | None
    risk: Fraction
    groups: int
    mean_loss: float
    completeness: float

    def _repr_html_(self) -> str:
        return html_of(vars(self))

    def threshold(self, P: PreferenceRelation) -> Fraction | None:
        """Return the larger of alpha and a group's minimal threshold; None for the empty order."""
        try:
            least = minimal_threshold(P)
        except CycleError:
            return None
        return None if self.alpha is None else max(self.alpha, least)

    def predict(self, P: PreferenceRelation) -> nx.DiGraph:
        """Return the order of a new group at its threshold, as `predict_order` does."""
        alpha = self.threshold(P)
        if alpha is None:
            return write_order(P, np.zeros(P.strength.shape, dtype=bool), strength=0)
        return predict_order(P, alpha=alpha)


def calibrate_threshold(
    relations: Iterable[PreferenceRelation],
    targets: Iterable[OrderLike],
    *,
    risk: Any,
) -> CalibratedThreshold:
    """Return the smallest threshold at which the mean loss of new groups is at most the risk.

    A group is predicted at the larger of alpha and its own `minimal_threshold`. Its loss is D / T,
    the share of the target's T pairs that the prediction reverses, or 0 if T is 0. For n groups
    with losses L_i, the result is the smallest alpha with (L_1 + ... + L_n + 1) / (n + 1) <= risk.
    Then the expected loss of a new group is at most the risk [1]_, if the new group is exchangeable
    with the others, for example if all groups are drawn independently from the same source.

    Parameters
    ----------
    relations : iterable of PreferenceRelation
        Degrees of preference of each group, from a ranker that was not trained on the group.
    targets : iterable of DiGraph or scores
        True order of each group, on the same items.
    risk : number in (0, 1)
        Bound of the mean loss.

    Returns
    -------
    CalibratedThreshold
        It predicts new groups. Its ``alpha`` is a degree that occurs, the minimal threshold of a
        group, 1, or None if it is above all degrees.

    Raises
    ------
    ItemMismatchError
        If a relation and its target have different items.
    PorankError
        If there are fewer groups than 1 / risk - 1, the numbers of relations and targets differ, or
        the risk is out of range.

    See Also
    --------
    CalibratedThreshold, PartialRanker, PartialLabelRanker, predict_order, abstention_curve

    Examples
    --------
    >>> import porank as po
    >>> votes = ["abc", "abc", "acb", "bac"]
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    >>> truths = [po.from_ranking(truth) for truth in ["abc"] * 18 + ["cba"] * 2]
    >>> for risk in (0.05, 0.1, 0.2):
    ...     found = po.calibrate_threshold([P] * 20, truths, risk=risk)
    ...     print(found.alpha, round(found.mean_loss, 3), round(found.completeness, 3))
    None 0.0 0.0
    1 0.033 0.333
    1/2 0.1 1.0

    Notes
    -----
    Time as for `abstention_curve` for each group, plus O(d) sums of fractions for d degrees.

    References
    ----------
    .. [1] A. N. Angelopoulos, S. Bates, A. Fisch, L. Lei, T. Schuster, "Conformal risk control",
       ICLR 2024. https://arxiv.org/abs/2208.02814
    """
    allowed = _read_risk(risk)
    relations, targets = list(relations), list(targets)
    n = len(relations)
    if len(targets) != n:
        raise PorankError(f"expected a target for each of {n} relations, found {len(targets)}")
    needed = groups_needed(risk)
    if n < needed:
        raise PorankError(
            f"expected at least {counted(needed, 'group')} for a risk of {risk}, found {n}; with "
            "fewer, even losses of 0 cannot guarantee it"
        )
    # Changes of the total loss and completeness of all groups at each degree, going down.
    loses = defaultdict(Fraction, {Fraction(1): Fraction(0)})
    decides: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for number in track(range(n), label="groups"):
        for alpha, lost, decided in _changes(relations[number], targets[number], number + 1):
            loses[alpha] += lost
            decides[alpha] += decided
    chosen, loss, complete = None, Fraction(0), Fraction(0)
    for alpha in sorted(loses, reverse=True):
        if (loss + loses[alpha] + 1) / (n + 1) > allowed:
            break
        chosen, loss, complete = alpha, loss + loses[alpha], complete + decides[alpha]
    return CalibratedThreshold(chosen, allowed, n, float(loss / n), float(complete / n))


def _read_risk(risk: Any) -> Fraction:
    """Return the risk of a calibrated threshold as a fraction between 0 and 1."""
    allowed = read_share(risk, name="risk")
    if allowed == 1:
        raise PorankError("expected risk below 1, found 1, which every threshold meets")
    return allowed


def groups_needed(risk: Any) -> int:
    """Return the minimum number of groups for calibrating a threshold with this risk."""
    return max(1, math.ceil(1 / _read_risk(risk)) - 1)


def _changes(
    P: PreferenceRelation, target: OrderLike, number: int
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Yield each threshold of a calibration group with the changes of loss and completeness."""
    try:
        curve = abstention_curve(P, target)
    except PorankError as error:
        error.args = (f"{error.finding}, in group {number}",)
        raise
    total, lost, decided = curve.target_pairs or 1, Fraction(0), Fraction(0)
    for point in reversed(curve.points):
        if point.is_acyclic:
            opposed = Fraction(point.discordant or 0, total)
            both = opposed + Fraction(point.concordant or 0, total)
            yield point.alpha, opposed - lost, both - decided
            lost, decided = opposed, both
