"""Likelihoods of rankings, partial orders and battles, given strengths, and their maximum.

`OrderLikelihood` and `BattleLikelihood` have a row for each distinct order or outcome. Both compute
its log probability, its score (the gradient), and the information (minus the second derivatives) of
weighted sums of rows. A strength is the logarithm of a worth. `maximize` finds the strengths of
largest likelihood by Newton's method.

The probability of a partial order is the sum over its linear extensions. In the model of Plackett
and Luce, the next item is drawn from the remaining ones with probabilities proportional to their
worths. Let P(I) be the probability that the items outside an ideal I follow in a sequence that the
order allows. Then

    P(I) = sum over the items i that may come next of  w_i P(I + i) / W(I),

where w_i is the worth of i, W(I) the sum of the worths outside I, and P is 1 for the full ideal.

Idea: *one pass over the ideals from the full one to the empty one computes the probability, and one
pass back its gradient.* The passes treat the ideals of all orders together, layer by layer.

Idea: *give each item an exponential waiting time with rate w_i; the order says which of two times
is shorter.* So the components of an order are independent. If all items of one part are above all
items of another, the lower part has the same probability as it has alone, because exponential times
have no memory. The log likelihood is concave for partial orders as for rankings: minus the log of a
time is the strength plus noise with a log-concave density, and the times that an order allows form
a convex cone (Prékopa 1973).
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.errors import PorankError, TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose, leaf_items
from porank.extensions.ideals import Chains, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Floats, Matrix, Numbers


#: Outcomes of a battle: the first wins, the second wins, or they tie.
FIRST_WINS, SECOND_WINS, TIE = range(3)
#: Log weight of each outcome, as a linear function of both strengths and log nu.
_FEATURES = np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 1]])
#: Step of the central differences of scores.
_STEP = 1e-5
#: Newton's method has converged if no parameter moves by more; it takes about ten steps.
_CLOSE, _STEPS = 1e-9, 200
#: A finite estimate has no larger variance.
_INFINITE = 1e6
#: Advice about an order with too many ideals.
_WAY_OUT = "max_ideals= allows more, up to 63 bits; restrict(G, items) leaves items out of an order"


class BattleLikelihood:
    """Davidson's model: the first wins, the second wins, or they tie.

    The probabilities are proportional to v, w and nu (v w)^(1/2), for worths v and w. The last
    parameter is log nu. Without ties there is no nu, and this is the Bradley-Terry model.
    """

    def __init__(self, first: Numbers, second: Numbers, outcome: Numbers, n: int) -> None:
        self.outcome = outcome
        self.has_ties = bool((outcome == TIE).any())
        size = 2 + self.has_ties
        self._features = _FEATURES[:size, :size]
        self._parameters = np.stack([first, second, np.full_like(first, n)], axis=1)[:, :size]

    def chances(self, parameters: Floats) -> Floats:
        """Return the probability of each outcome of the battle of each row."""
        # log weights: s_u, s_v and (s_u + s_v) / 2 + log nu, for strengths s.
        logs = parameters[self._parameters] @ self._features.T
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances: Floats = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def log_chances(self, parameters: Floats) -> Floats:
        """Return the log probability of each row."""
        logs: Floats = np.log(self.chances(parameters)[range(self.outcome.size), self.outcome])
        return logs

    def score(self, parameters: Floats) -> Floats:
        """Return the score of each row."""
        scores = np.zeros((self.outcome.size, parameters.size))
        # d log p_k / d parameters = f_k - sum over outcomes j of p_j f_j, for features f.
        expected = self.chances(parameters) @ self._features
        np.put_along_axis(scores, self._parameters, self._features[self.outcome] - expected, axis=1)
        return scores

    def information(self, parameters: Floats, weights: Matrix) -> Floats:
        """Return the information, a matrix for each row of weights: the covariance of features."""
        n, chances, features = parameters.size, self.chances(parameters), self._features
        # sum over k of p_k f_k f_k^T - (sum of p_k f_k) (sum of p_k f_k)^T.
        mean = chances @ features
        products = np.einsum("rk,ki,kj->rij", chances, features, features)
        products -= mean[:, :, None] * mean[:, None, :]
        place = (self._parameters[:, :, None] * n + self._parameters[:, None, :]).ravel()
        sums = [
            np.bincount(place, (products * each[:, None, None]).ravel(), n * n) for each in weights
        ]
        information: Floats = np.reshape(sums, (len(weights), n, n))
        return information


class OrderLikelihood:
    """Plackett-Luce model of partial orders: the sum over their linear extensions."""

    has_ties = False

    def __init__(self, orders: Sequence[tuple[CompiledOrder, Numbers]], *, max_ideals: int) -> None:
        pieces = list(_pieces_of(orders))
        self._rows, self._row = len(orders), np.array([piece.row for piece in pieces], dtype=int)
        self._steps, self._empty, self._full = _steps_of(pieces, max_ideals)
        sizes = [piece.below.size for piece in pieces]
        self._owner = np.repeat(np.arange(len(pieces)), np.array(sizes, dtype=int))
        self._below = np.concatenate([np.zeros(0, dtype=int), *(piece.below for piece in pieces)])

    def log_chances(self, parameters: Floats) -> Floats:
        """Return the log probability of each row."""
        logs, _, _ = self._pass_backward(parameters)
        sums: Floats = np.bincount(self._row, logs[self._empty], self._rows).astype(np.float64)
        return sums

    def score(self, parameters: Floats) -> Floats:
        """Return the score of each row."""
        logs, left, shares = self._pass_backward(parameters)
        worth = np.exp(parameters - parameters.max())
        # The probability of passing each ideal, and the mean sum of 1 / W over the ideals before.
        passed, sums = np.zeros((2, logs.size))
        passed[self._empty] = 1
        scores = np.zeros((self._rows, parameters.size))
        for step, share in zip(self._steps[::-1], shares[::-1], strict=True):
            first = step.before[step.starts]
            # d log P / d s_i = the share of ways that add i, minus w_i times the mean sum of
            # 1 / W(I) over the ideals I before i.
            sums[first] += passed[first] / left[first]
            flows = passed[step.before] * share, sums[step.before] * share
            np.add.at(passed, step.after, flows[0])
            np.add.at(sums, step.after, flows[1])
            rows = self._row[step.piece]
            np.add.at(scores, (rows, step.item), flows[0] - worth[step.item] * flows[1])
        lost = worth[self._below] * sums[self._full[self._owner]]
        np.add.at(scores, (self._row[self._owner], self._below), -lost)
        return scores

    def _pass_backward(self, parameters: Floats) -> tuple[Floats, Floats, list[Floats]]:
        """Return log P and W of each ideal, and the probability of each way on, step by step."""
        worth = np.exp(parameters - parameters.max())
        logs, left = np.zeros((2, sum(step.starts.size for step in self._steps) + self._full.size))
        np.add.at(left, self._full[self._owner], worth[self._below])
        shares = []
        for step in self._steps:
            # W(I) = W(I + i) + w_i, and log P(I) = log sum over i of w_i P(I + i), minus log W(I).
            left[step.before] = left[step.after] + worth[step.item]
            flows = np.log(worth)[step.item] + logs[step.after]
            totals = np.logaddexp.reduceat(flows, step.starts)
            first = step.before[step.starts]
            logs[first] = totals
            shares.append(np.exp(flows - logs[step.before]))
            logs[first] -= np.log(left[first])
        return logs, left, shares

    def information(self, parameters: Floats, weights: Matrix) -> Floats:
        """Return the information, a matrix for each row of weights, by differences of scores."""
        # Minus d score / d parameter, as (score(x - h) - score(x + h)) / (2 h).
        columns: list[Floats] = [
            weights @ (self.score(parameters - step) - self.score(parameters + step)) / (2 * _STEP)
            for step in np.eye(parameters.size) * _STEP
        ]
        information: Floats = np.stack(columns, axis=2)
        return information


class _Piece(NamedTuple):
    """Items of an order that must be treated together, best first, and all items below them.

    The form has the covers of the items, numbered from the worst.
    """

    row: int
    items: Numbers
    below: Numbers
    form: tuple[tuple[int, ...], ...]


class _Step(NamedTuple):
    """The ways on from all ideals with the same number of remaining items.

    A way adds an item of a piece to the ideal `before` and leads to the ideal `after`. Ways from
    the same ideal are adjacent; `starts` has the index of the first of each.
    """

    piece: Numbers
    item: Numbers
    before: Numbers
    after: Numbers
    starts: Numbers


def _pieces_of(orders: Sequence[tuple[CompiledOrder, Numbers]]) -> Iterator[_Piece]:
    """Yield the pieces of all orders."""
    for row, (order, numbers) in enumerate(track(orders, label="reading orders")):
        relation = order.relation
        for members, below in _members_of_pieces(decompose(order)):
            places = np.sort(relation.place[members]).tolist()
            local = {place: number for number, place in enumerate(places)}
            covers = [[local[q] for q in relation.covers[p] if q in local] for p in places]
            items = numbers[relation.item_at[places]][::-1]
            yield _Piece(row, items, numbers[below], tuple(map(tuple, covers)))


def _members_of_pieces(parts: Sequence[OrderPart]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the items of each piece of a decomposed order, and all items below the piece.

    Components are independent, and so is the part below all others. Items that are compared with
    no other item contribute a factor of 1.
    """
    waiting = [0]
    while waiting:
        number = waiting.pop()
        kind, last = parts[number].kind, parts[number].parts[-1:]
        if kind == "parallel":
            waiting += parts[number].parts
        elif kind == "prime":
            yield leaf_items(parts, [number]), []
        elif kind == "series":
            yield leaf_items(parts, parts[number].parts[:-1]), leaf_items(parts, last)
            waiting += last


def _steps_of(pieces: Sequence[_Piece], max_ideals: int) -> tuple[list[_Step], Numbers, Numbers]:
    """Return the ways through the ideals of all pieces, the empty ideals, and the full ones.

    The ideals of a piece are numbered from the empty one to the full one.
    """
    forms = dict.fromkeys(piece.form for piece in pieces)
    of_form = {form: _ways(form, max_ideals) for form in track(forms, label="listing ideals")}
    ends, ways = [-1], [np.zeros((5, 0), dtype=int)]
    for k, piece in enumerate(pieces):
        left, placed, before, after = of_form[piece.form]
        numbers = np.full_like(left, k)
        start = ends[-1] + 1
        ways.append(np.stack([left, numbers, piece.items[placed], start + before, start + after]))
        ends.append(int(ways[-1][4].max()))
    joined = np.hstack(ways)
    joined = joined[:, np.lexsort((joined[3], joined[0]))]
    layers = np.split(joined[1:], np.flatnonzero(np.diff(joined[0])) + 1, axis=1)
    steps = [
        _Step(piece, item, before, after, np.flatnonzero(np.diff(before, prepend=-1)))
        for piece, item, before, after in layers
        if piece.size
    ]
    return steps, np.array(ends[:-1], dtype=int) + 1, np.array(ends[1:], dtype=int)


def _ways(form: tuple[tuple[int, ...], ...], max_ideals: int) -> Numbers:
    """Return the ways through the ideals of a form, in four rows.

    These are the number of items that remain before a way, the item that it adds, and the numbers
    of the ideals before and after.
    """
    try:
        chains = Chains(OrderPart("prime", len(form), [], [], [list(row) for row in form]))
        layers = list(layers_of(chains, max_ideals=max_ideals))
    except TooManyIdealsError as error:
        error.hint = _WAY_OUT
        raise
    starts = accumulate((layer.size for layer in layers), initial=0)
    found = []
    for k, (pair, (start, end)) in enumerate(zip(pairwise(layers), pairwise(starts), strict=False)):
        items, before, after = np.hstack(list(chains.transitions(*pair)))
        found.append((np.full(items.size, len(form) - k), items, start + before, end + after))
    return np.hstack(found)


def maximize(
    rows: BattleLikelihood | OrderLikelihood, counts: Numbers, mean: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """Return the parameters that maximize the likelihood, and the information there.

    The matrix `mean` takes each strength to the mean of its part, which is kept at 0, and the
    frequency of ties to 0. The information includes the ridge and the constraints. The log
    likelihood is concave, so Newton's method finds the maximum.
    """
    parameters, is_ties = np.zeros(len(mean)), mean.diagonal() == 0
    penalty = ridge * ~is_ties

    def gradient_at(point: Floats) -> Floats:
        # Sum of counts times scores, minus the gradient ridge * s of the penalty ridge |s|^2 / 2.
        slope: Floats = counts @ rows.score(point) - penalty * point
        return slope

    gradient = gradient_at(parameters)
    for _ in track(range(_STEPS), label="fitting"):
        (of_data,) = rows.information(parameters, counts[None, :])
        information = of_data + np.diag(penalty) + mean
        inverse = np.linalg.inv(information)
        if (inverse.diagonal()[is_ties] > _INFINITE).any():
            raise PorankError(
                "cannot estimate how frequent ties are: the likelihood keeps growing with their "
                "frequency, because no cycle of wins and ties has more wins than ties",
                hint="" if ridge else "ridge= gives finite strengths if anybody won",
            )
        step = inverse @ gradient
        slope = gradient_at(parameters + step)
        # A step far beyond the maximum on its line is halved.
        while slope @ step < -(gradient @ step) / 2:
            step /= 2
            slope = gradient_at(parameters + step)
        parameters, gradient = parameters + step, slope
        if np.abs(step).max(initial=0) < _CLOSE:
            return parameters, information
    raise PorankError(
        f"cannot fit strengths: Newton's method did not converge in {_STEPS} steps",
        hint="try a larger ridge=",
    )
