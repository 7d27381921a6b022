"""How likely rankings, partial orders and battles are, given the strengths of the items.

`OrderLikelihood` and `BattleLikelihood` have a row for each distinct order or outcome. Both give
its log probability, its score (the gradient), and the information (minus the second derivatives) of
weighted sums of rows. A strength is the logarithm of a worth.

A partial order is as likely as all its linear extensions together. In the model of Plackett and
Luce the next item is drawn from those that remain, in proportion to worths. Let P(I) be the
probability that the items outside an ideal I follow in a sequence that the order allows. Then

    P(I) = sum over the items i that may come next of  w_i P(I + i) / W(I),

where w_i is the worth of i, W(I) the worth of all items outside I, and P is 1 for the full ideal.

Idea: *one pass over the ideals from the full one to the empty one gives the probability, and one
pass back gives its gradient.* The ideals of all orders are passed over together, layer by layer.

Idea: *give each item an exponential waiting time with the rate w_i; the order says which of two
times is the shorter.* So components of an order are independent. If all items of one part are above
all items of another, the lower part is as likely as if it stood alone, because exponential times
have no memory. The log likelihood is concave for partial orders as for rankings: minus the log of a
time is the strength plus noise whose density is log-concave, and the times that an order allows
form a convex cone (Prékopa 1973).
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose, leaf_items
from porank.extensions.ideals import Chains, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import Order
    from porank.typing import Floats, Matrix, Numbers


#: How a battle ends: the first wins, the second wins, they tie.
FIRST_WINS, SECOND_WINS, TIE = range(3)
#: The log of the weight of each outcome, in terms of both strengths and of log nu.
_FEATURES = np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 1]])
#: Second derivatives of orders are differences of scores this far to either side.
_STEP = 1e-5
#: What to do about an order of too many ideals.
_WAY_OUT = (
    "max_ideals= allows more of them, as far as 63 bits hold them; restrict(G, items) leaves items "
    "out of an order"
)


class BattleLikelihood:
    """Davidson's model: the first wins, the second wins, or they tie.

    The probabilities are in proportion to v, w and nu (v w)^(1/2), for worths v and w. The last
    parameter is log nu. Without any tie there is no nu, and the model is that of Bradley and Terry.
    """

    def __init__(self, first: Numbers, second: Numbers, outcome: Numbers, n: int) -> None:
        self.first, self.second, self.outcome = first, second, outcome
        self.has_ties = bool((outcome == TIE).any())
        size = 2 + self.has_ties
        self._features = _FEATURES[:size, :size]
        self._parameters = np.stack([first, second, np.full_like(first, n)], axis=1)[:, :size]

    def chances(self, parameters: Floats) -> Floats:
        """Return the probability of each outcome of the battle of each row."""
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
        expected = self.chances(parameters) @ self._features
        np.put_along_axis(scores, self._parameters, self._features[self.outcome] - expected, axis=1)
        return scores

    def information(self, parameters: Floats, weights: Matrix) -> Floats:
        """Return the information, a matrix for each row of weights: the covariance of features."""
        n, chances, features = parameters.size, self.chances(parameters), self._features
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
    """Plackett and Luce's model of partial orders: the sum over their linear extensions."""

    has_ties = False

    def __init__(self, orders: Sequence[tuple[Order, Numbers]], *, max_ideals: int) -> None:
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
        # How likely each ideal is passed, and the sum of 1 / W over the ideals passed before.
        passed, sums = np.zeros((2, logs.size))
        passed[self._empty] = 1
        scores = np.zeros((self._rows, parameters.size))
        for step, share in zip(self._steps[::-1], shares[::-1], strict=True):
            first = step.before[step.starts]
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
        """Return log P and W of each ideal, and how likely each way on is taken, step by step."""
        worth = np.exp(parameters - parameters.max())
        logs, left = np.zeros((2, sum(step.starts.size for step in self._steps) + self._full.size))
        np.add.at(left, self._full[self._owner], worth[self._below])
        shares = []
        for step in self._steps:
            left[step.before] = left[step.after] + worth[step.item]
            flows = np.log(worth)[step.item] + logs[step.after]
            totals = np.logaddexp.reduceat(flows, step.starts)
            first = step.before[step.starts]
            logs[first] = totals
            shares.append(np.exp(flows - logs[step.before]))
            logs[first] -= np.log(left[first])
        return logs, left, shares

    def information(self, parameters: Floats, weights: Matrix) -> Floats:
        """Return the information, a matrix for each row of weights, from differences of scores."""
        columns: list[Floats] = [
            weights @ (self.score(parameters - step) - self.score(parameters + step)) / (2 * _STEP)
            for step in np.eye(parameters.size) * _STEP
        ]
        information: Floats = np.stack(columns, axis=2)
        return information


class _Piece(NamedTuple):
    """Items of an order that are placed together, best first, and those that all come below.

    The form has the covers of the items, numbered from the worst.
    """

    row: int
    items: Numbers
    below: Numbers
    form: tuple[tuple[int, ...], ...]


class _Step(NamedTuple):
    """The ways on from all ideals outside which so many items are left.

    A way places an item of a piece and leads from the ideal before to the one after. Ways from the
    same ideal stand together; `starts` has the place of the first of each.
    """

    piece: Numbers
    item: Numbers
    before: Numbers
    after: Numbers
    starts: Numbers


def _pieces_of(orders: Sequence[tuple[Order, Numbers]]) -> Iterator[_Piece]:
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
    """Yield the items of each piece of an order taken apart, and those that all come below.

    Components are independent, and so is what stands below all the rest. Items that are compared
    with nothing have the probability 1.
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
    """Return the ways through the ideals of all pieces, the empty ideals and the full ones.

    Each ideal has a number; those of a piece follow each other from the empty one to the full one.
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

    They are how many items are left before a way, the item that it places, and the numbers of the
    ideals before and after.
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
