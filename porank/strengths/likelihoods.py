"""Likelihoods of rankings, partial orders and battles, given strengths, and their maximum.

`OrderLikelihood` has a row for each distinct order, and `battle_likelihood` for each outcome. It
computes its log probability, its score (the gradient), and the information (minus the second
derivatives) of weighted sums of rows. A strength is the logarithm of a worth. `maximize` finds the
strengths of largest likelihood by Newton's method with step halving.

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

from collections import defaultdict
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from porank.core.progress import track
from porank.errors import PorankError, TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose, leaf_items
from porank.extensions.ideals import MAX_IDEALS, Chains, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Floats, Matrix, Numbers


#: Step of the central differences of scores.
_STEP = 1e-5
#: Newton's method has converged if its slope times its step is less: the next step would be about
#: the square of this one. It takes about ten steps.
_CLOSE, _STEPS = 1e-12, 200
#: No parameter moves farther in one step, because far from the maximum there is no information.
_FAR = 10.0
#: Rounding changes a log probability by about this much, or this share of it.
_EXACT = 1e-15
#: Maximum number of entries of the information of rankings that are held at once.
_ENTRIES = 2**21
#: Advice about an order with too many ideals.
_WAY_OUT = "max_ideals= allows more, up to 63 bits; restrict(G, items) leaves items out of an order"


class OrderLikelihood:
    """Plackett-Luce model of partial orders: the sum over their linear extensions."""

    def __init__(
        self, pieces: Sequence[_Piece], rows: int, *, max_ideals: int = MAX_IDEALS
    ) -> None:
        self._rows, self._row = rows, np.array([piece.row for piece in pieces], dtype=int)
        self._steps, self._empty, self._full = _steps_of(pieces, max_ideals)
        are_rankings = all(step.starts.size == step.item.size for step in self._steps)
        self._alike = list(_alike(pieces)) if are_rankings else None
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
        # The probability of passing each ideal I, and the mean sum of W(I) / W(J) over the ideals J
        # up to I.
        passed, sums = np.zeros((2, logs.size))
        passed[self._empty] = 1
        scores = np.zeros((self._rows, parameters.size))
        for step, (share, chance) in zip(self._steps[::-1], shares[::-1], strict=True):
            first = step.before[step.starts]
            # d log P / d s_i = the share of ways that add i, minus w_i times the mean sum of
            # 1 / W(I) over the ideals I before i.
            sums[first] += passed[first]
            flows = passed[step.before] * share, sums[step.before] * share
            np.add.at(passed, step.after, flows[0])
            np.add.at(sums, step.after, flows[1] * np.exp(left[step.after] - left[step.before]))
            rows = self._row[step.piece]
            np.add.at(scores, (rows, step.item), flows[0] - flows[1] * chance)
        full = self._full[self._owner]
        lost = np.exp(parameters[self._below] - left[full]) * sums[full]
        np.add.at(scores, (self._row[self._owner], self._below), -lost)
        return scores

    def _pass_backward(self, parameters: Floats) -> tuple[Floats, Floats, list[Floats]]:
        """Return log P and log W of each ideal, and two probabilities of each way, step by step.

        These are its share of the ways on, and w_i / W(I).
        """
        size = sum(step.starts.size for step in self._steps) + self._full.size
        logs, left, shares = np.zeros(size), np.full(size, -np.inf), []
        np.logaddexp.at(left, self._full[self._owner], parameters[self._below])
        for step in self._steps:
            # log(w_i / W(I)) = -log(1 + W(I + i) / w_i), also if the worths are far apart.
            chance = -np.logaddexp(0, left[step.after] - parameters[step.item])
            left[step.before] = parameters[step.item] - chance
            # log P(I) = log sum over i of w_i / W(I) P(I + i).
            flows = chance + logs[step.after]
            logs[step.before[step.starts]] = np.logaddexp.reduceat(flows, step.starts)
            shares.append(np.exp([flows - logs[step.before], chance]))
        return logs, left, shares

    def information(self, parameters: Floats, weights: Matrix) -> Floats:
        """Return the information, a matrix for each row of weights."""
        n = parameters.size
        if self._alike is None:
            # Minus d score / d parameter, as (score(x - h) - score(x + h)) / (2 h).
            columns: list[Floats] = [
                weights @ (self.score(parameters - step) - self.score(parameters + step))
                for step in np.eye(n) * _STEP
            ]
            return np.stack(columns, axis=2) / (2 * _STEP)
        found = np.zeros((n * n, len(weights)))
        for choices, row, items in self._alike:
            info = _of_rankings(parameters[items], choices)
            place = items[:, :, None] * n + items[:, None, :]
            where = place.ravel(), np.repeat(row, items.shape[1] ** 2)
            found += sparse.csr_array((info.ravel(), where), (n * n, self._rows)) @ weights.T
        information: Floats = np.ascontiguousarray(found.T).reshape(-1, n, n)
        return information


def _alike(pieces: Sequence[_Piece]) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield rankings of the same form: the number of choices, their rows, and their items."""
    of_form: dict[tuple[int, int], list[_Piece]] = defaultdict(list)
    for piece in pieces:
        of_form[piece.items.size, piece.below.size].append(piece)
    for (choices, below), alike in of_form.items():
        size = max(1, _ENTRIES // (choices + below) ** 2)
        for start in range(0, len(alike), size):
            some = alike[start : start + size]
            items = np.array([[*piece.items, *piece.below] for piece in some])
            yield choices, np.array([piece.row for piece in some]), items


def _of_rankings(parameters: Floats, choices: int) -> Floats:
    """Return the information of rankings that may have a tied tail, a matrix for each row."""
    n = parameters.shape[1]
    # log W[k], where W[k] is the sum of the worths of the items from which choice k is made.
    left = np.logaddexp.accumulate(parameters[:, ::-1], axis=1)[:, ::-1][:, :choices]
    # W[k] times the sum of 1 / W[j], and W[k]^2 times that of 1 / W[j]^2, over choices j up to k.
    once, twice = np.ones((2, *left.shape))
    for k, ratio in enumerate(np.exp(np.diff(left, axis=1)).T, start=1):
        once[:, k] += ratio * once[:, k - 1]
        twice[:, k] += ratio**2 * twice[:, k - 1]
    # The last choice that an item takes part in, and that two items do.
    last = np.minimum(range(n), choices - 1)
    both = np.minimum.outer(last, last)
    # The sum over choices k of diag(p) - p p', where p[i] = w[i] / W[k].
    logs = parameters[:, :, None] + parameters[:, None] - 2 * left[:, both]
    found: Floats = -np.exp(logs) * twice[:, both]
    found[:, range(n), range(n)] += np.exp(parameters - left[:, last]) * once[:, last]
    return found


def battle_likelihood(winner: Numbers, loser: Numbers) -> OrderLikelihood:
    """Return the likelihood of battles, which are rankings of two items (Bradley and Terry)."""
    ends = np.stack([winner, loser], axis=1)[:, :, None]
    pieces = [_Piece(row, upper, lower, ((),)) for row, (upper, lower) in enumerate(ends)]
    return OrderLikelihood(pieces, len(pieces))


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


def pieces_of(orders: Sequence[tuple[CompiledOrder, Numbers]]) -> Iterator[_Piece]:
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
    alike: dict[tuple[tuple[int, ...], ...], list[int]] = defaultdict(list)
    for k, piece in enumerate(pieces):
        alike[piece.form].append(k)
    of_form = {form: _ways(form, max_ideals) for form in track(alike, label="listing ideals")}
    ideals = {form: 1 + int(found[3].max()) for form, found in of_form.items()}
    ends = np.cumsum([0, *(ideals[piece.form] for piece in pieces)])
    ways = [np.zeros((5, 0), dtype=int)]
    for form, numbers in alike.items():
        left, placed, before, after = of_form[form]
        items, number = np.stack([pieces[k].items for k in numbers]), np.array(numbers)[:, None]
        start = ends[number]
        rows = left, number, items[:, placed], start + before, start + after
        ways.append(np.stack(np.broadcast_arrays(*rows)).reshape(5, -1))
    joined = np.hstack(ways)
    joined = joined[:, np.lexsort((joined[3], joined[0]))]
    layers = np.split(joined[1:], np.flatnonzero(np.diff(joined[0])) + 1, axis=1)
    steps = [
        _Step(piece, item, before, after, np.flatnonzero(np.diff(before, prepend=-1)))
        for piece, item, before, after in layers
        if piece.size
    ]
    return steps, ends[:-1], ends[1:] - 1


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
    rows: OrderLikelihood, counts: Numbers, mean: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """Return the strengths that maximize the likelihood, and the information there.

    The matrix `mean` takes each strength to the mean of its part, which is kept at 0. The
    information includes the ridge and the constraints. The log likelihood is concave, so Newton's
    method finds the maximum if each step rises by a part of what its slope promises.
    """
    strengths = np.zeros(len(mean))

    def value_at(point: Floats) -> float:
        # The sum of counts times log P, minus the penalty ridge |s|^2 / 2.
        return float(counts @ rows.log_chances(point) - ridge * point @ point / 2)

    value = value_at(strengths)
    for _ in track(range(_STEPS), label="fitting"):
        gradient = counts @ rows.score(strengths) - ridge * strengths
        (of_data,) = rows.information(strengths, counts[None, :])
        information = of_data + ridge * np.eye(len(mean)) + mean
        step = np.linalg.solve(information, gradient)
        step *= _FAR / max(_FAR, np.abs(step).max(initial=0))
        rise = float(gradient @ step)
        # How far rounding changes the value, and the slope in a direction of little information.
        blur = _EXACT * (counts.sum() + abs(value))
        if rise < max(_CLOSE, blur**2):
            return strengths + step, information
        # A step too far is halved. Near the maximum a step rises by half of its slope.
        while (reached := value_at(strengths + step)) - value < rise / 4 - blur:
            step, rise = step / 2, rise / 2
        strengths, value = strengths + step, reached
    raise PorankError(
        f"cannot fit strengths: Newton's method did not converge in {_STEPS} steps",
        hint="try a larger ridge=",
    )
