"""How likely rankings, partial orders and battles are, given the log worths of the items.

Both likelihoods tell for each row, an order or what came of a battle, the logarithm of its
probability, and its score, the gradient: `OrderLikelihood`, `BattleLikelihood`. Log worths may be
complex, so that a step along the imaginary axis gives second derivatives without cancellation.

A partial order is as likely as all its linear extensions together. In the model of Plackett and
Luce the next item is drawn from those that remain, in proportion to worths; so the chance P(I) that
what remains below an ideal I goes on as the order wants is

    P(I) = sum over the items i that may follow of  w_i P(I + i) / W(I),

W(I) being the worth of all that remains, and P of the full ideal 1.

Idea: *one pass through the ideals from the full one backwards gives the probability, one pass
forwards the gradient.* The ideals of all orders are passed through at once, layer by layer of what
remains to be placed.

Idea: *give each item an exponential waiting time of the rate w_i; the order says which of two is
the shorter.* So components of an order are independent, and where all items of one part are above
those of another, the lower part is as likely as if it stood alone, because such times have no
memory. Minus the logarithms of the times are the log worths plus noise with a log-concave density,
and an order allows a convex cone of them; so the log likelihood is concave (Prékopa 1973), for
partial orders as for rankings.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose
from porank.extensions.ideals import Chains, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Floats, Matrix, Numbers


#: What to do about an order of too many ideals.
_WAY_OUT = (
    "max_ideals= allows more of them, as far as 63 bits hold them; restrict(G, items) leaves items "
    "out of an order"
)


class BattleLikelihood:
    """Davidson's model: the first item wins against the second, or the two tie.

    With worths v and w and the number nu of ties, wins and ties are in proportion to v, w and
    nu (v w)^(1/2). Without nu there are no ties, and the model is that of Bradley and Terry.
    """

    def __init__(self, first: Numbers, second: Numbers, is_tie: NDArray[np.bool_], n: int) -> None:
        self.first, self.second, self.is_tie = first, second, is_tie
        self.n, self.has_ties = n, bool(is_tie.any())
        columns = [first, second, *([np.full(first.size, n)] if self.has_ties else [])]
        self.item = np.concatenate(columns)
        self.row = np.tile(np.arange(first.size), len(columns))

    def score(self, parameters: Matrix) -> tuple[Floats, Matrix]:
        """Return the log probability of each row, and the entries (row, item) of the scores."""
        u, v = parameters[self.first], parameters[self.second]
        top = np.maximum(u.real, v.real)
        u, v = np.exp(u - top), np.exp(v - top)
        tie = np.exp(parameters[self.n]) * np.sqrt(u * v) if self.has_ties else 0 * u
        total = u + v + tie
        chance = np.where(self.is_tie, tie, u) / total
        half = self.is_tie / 2
        entries = [1 - half - (u + tie / 2) / total, half - (v + tie / 2) / total]
        if self.has_ties:
            entries.append(self.is_tie - tie / total)
        return np.log(chance.real), np.concatenate(entries)


class OrderLikelihood:
    """Plackett and Luce's model of partial orders: the sum over their linear extensions."""

    def __init__(self, orders: Sequence[tuple[Order, Numbers]], *, max_ideals: int) -> None:
        self.rows = len(orders)
        forms = _pieces_by_form(orders)
        self._steps = _steps_of(forms, max_ideals)
        pieces = [piece for each in forms.values() for piece in each]
        self._of_row = np.array([piece.row for piece in pieces], dtype=np.int64)
        self._below, self._lower = _flattened([piece.below for piece in pieces])
        owner, items = _flattened([piece.items for piece in pieces])
        steps = self._steps[::-1]
        self.item = np.concatenate([items, *(step.item[step.first] for step in steps), self._lower])
        owners = [owner, *(step.piece for step in steps), self._below]
        self.row = self._of_row[np.concatenate(owners)]

    def score(self, parameters: Matrix) -> tuple[Floats, Matrix]:
        """Return the log probability of each row, and the entries (row, item) of the scores."""
        worth = np.exp(parameters - parameters.real.max(initial=-np.inf))
        logs, remaining, shares = self._passed_backward(worth)
        total: Any = np.bincount(self._of_row, logs, self.rows)
        return total, np.concatenate(list(self._passed_forward(worth, remaining, shares)))

    def _passed_backward(self, worth: Matrix) -> tuple[Floats, list[Matrix], list[Matrix]]:
        """Return log probabilities, the worths that remain, and how likely each step is."""
        left = _added(self._below, worth[self._lower], self._of_row.size)
        chance, logs = np.ones_like(left), np.zeros(left.size)
        remaining, shares = [], []
        for step in self._steps:
            left = left[step.after[step.first]] + worth[step.item[step.first]]
            flow = worth[step.item] * chance[step.after]
            total = _added(step.before, flow, left.size)
            shares.append(flow / total[step.before])
            remaining.append(left)
            chance = total / left
            # The largest of each piece is made 1, so that no number becomes too small.
            scale = np.zeros(logs.size)
            np.maximum.at(scale, step.piece, chance.real)
            chance = chance / scale[step.piece]
            logs += np.log(np.where(scale > 0, scale, 1))
        return logs, remaining, shares

    def _passed_forward(
        self, worth: Matrix, remaining: list[Matrix], shares: list[Matrix]
    ) -> Iterator[Matrix]:
        """Yield the entries of the scores: of the items placed, of those that remained, below."""
        yield np.ones(self.item.size - self._lower.size - sum(each.size for each in remaining))
        reached = carried = np.zeros(0, dtype=worth.dtype)
        for k in range(len(self._steps) - 1, -1, -1):
            step = self._steps[k]
            if not reached.size:
                reached, carried = np.zeros((2, step.piece.size), dtype=worth.dtype)
            reached[step.starts] = 1
            carried = carried - reached / remaining[k]
            yield worth[step.item[step.first]] * carried
            size = self._steps[k - 1].piece.size if k else self._of_row.size
            carried = _added(step.after[step.first], carried, size)
            reached = _added(step.after, reached[step.before] * shares[k], size)
        yield worth[self._lower] * carried[self._below]


def _added(places: Numbers, amounts: Matrix, size: int) -> Matrix:
    """Return sums of amounts, complex ones too, by place."""
    sums: Matrix = np.bincount(places, amounts.real, size)
    if np.iscomplexobj(amounts):
        sums = sums + 1j * np.bincount(places, amounts.imag, size)
    return sums


def _flattened(lists: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Return the number of the list that each member is of, and the members, list after list."""
    sizes = [each.size for each in lists]
    members = np.concatenate([np.zeros(0, dtype=np.int64), *lists])
    return np.repeat(np.arange(len(lists)), sizes), members


class _Piece(NamedTuple):
    """Items of an order, best first, that are placed together, and those that all come below."""

    row: int
    items: Numbers
    below: Numbers


class _Step(NamedTuple):
    """The ideals from which so many items remain, those of all pieces, and what may follow.

    The piece of each ideal, and of each way on the ideals before and after, and the item placed;
    the first way on from each ideal, and the empty ideals.
    """

    piece: Numbers
    before: Numbers
    after: Numbers
    item: Numbers
    first: Numbers
    starts: Numbers


def _pieces_by_form(orders: Sequence[tuple[Order, Numbers]]) -> dict[_Form, list[_Piece]]:
    """Return the pieces of all orders by form, the covers of their items, numbered worst first."""
    pieces: dict[_Form, list[_Piece]] = defaultdict(list)
    for row, (order, numbers) in enumerate(track(orders, label="reading orders")):
        relation = order.relation
        for members, below in _members_of_pieces(decompose(order)):
            places = np.sort(relation.place[members]).tolist()
            local = {place: number for number, place in enumerate(places)}
            covers = [[local[q] for q in relation.covers[p] if q in local] for p in places]
            items = numbers[relation.item_at[places]][::-1]
            pieces[tuple(map(tuple, covers))].append(_Piece(row, items, numbers[below]))
    return pieces


_Form = tuple[tuple[int, ...], ...]


def _members_of_pieces(parts: Sequence[OrderPart]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the items of each piece of an order taken apart, and those that all come below.

    Components are independent, and so is what stands below all the rest; items of which nothing is
    said have the probability 1.
    """
    waiting = [0]
    while waiting:
        number = waiting.pop()
        kind, last = parts[number].kind, parts[number].parts[-1:]
        if kind == "parallel":
            waiting += parts[number].parts
        elif kind == "prime":
            yield _members(parts, [number]), []
        elif kind == "series":
            yield _members(parts, parts[number].parts[:-1]), _members(parts, last)
            waiting += last


def _members(parts: Sequence[OrderPart], numbers: Sequence[int]) -> list[int]:
    """Return the items of some parts of an order."""
    waiting, items = [*numbers], []
    for number in waiting:
        # The list grows while it is walked.
        waiting += parts[number].parts
        items += parts[number].items
    return items


def _steps_of(forms: dict[_Form, list[_Piece]], max_ideals: int) -> list[_Step]:
    """Return the ways through the ideals of all pieces, from the full ideals on."""
    try:
        ways = [_ways(form, max_ideals) for form in track(forms, label="listing ideals")]
    except TooManyIdealsError as error:
        error.hint = _WAY_OUT
        raise
    items = [np.array([piece.items for piece in pieces]) for pieces in forms.values()]
    # Where the ideals of each form begin among those of the layer before.
    begins = [*accumulate(map(len, items), initial=0)][:-1]
    owner = [first + np.arange(len(own))[:, None] for first, own in zip(begins, items, strict=True)]
    steps = []
    for left in range(1, max(map(len, ways), default=1)):
        parts, width, edges = [], 0, 0
        for k, layers in enumerate(ways):
            if left >= len(layers):
                continue
            size, before, after, placed = layers[left]
            own = owner[k] - owner[k][0]
            first = np.flatnonzero(np.diff(before, prepend=-1))
            step = _Step(
                piece=np.repeat(owner[k][:, 0], size),
                before=(width + own * size + before).ravel(),
                after=(begins[k] + own * layers[left - 1][0] + after).ravel(),
                item=items[k][:, placed].ravel(),
                first=(edges + own * before.size + first).ravel(),
                starts=(width + own if left == len(layers) - 1 else own[:0]).ravel(),
            )
            parts.append(step)
            begins[k], width, edges = width, width + step.piece.size, edges + step.item.size
        steps.append(_Step(*map(np.concatenate, zip(*parts, strict=True))))
    return steps


def _ways(form: _Form, max_ideals: int) -> list[tuple[int, Numbers, Numbers, Numbers]]:
    """Return for each number of items left how many ideals there are, and the ways on.

    A way leads from an ideal to one of those of which an item less is left, and places an item.
    """
    chains = Chains(OrderPart("prime", len(form), [], [], [list(row) for row in form]))
    found = [(1, *np.zeros((3, 0), dtype=np.int64))]
    for layer, following in [*pairwise(layers_of(chains, max_ideals=max_ideals))][::-1]:
        items, before, after = np.hstack([*map(np.array, chains.transitions(layer, following))])
        order = np.argsort(before, kind="stable")
        found.append((layer.size, before[order], after[order], items[order]))
    return found
