"""What a Hasse diagram shows, by definition: from the points its lines run through, one by one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import factorial, hypot, prod
from typing import Any

Line = list[tuple[float, float]]


def place_at(line: Line, y: Fraction) -> Fraction:
    """Where a line that runs downwards is at a height."""
    for (x1, y1), (x2, y2) in pairwise(line):
        if y2 <= y <= y1:
            begin, end = Fraction(x1), Fraction(x2)
            return begin + (end - begin) * (Fraction(y1) - y) / (Fraction(y1) - Fraction(y2))
    raise AssertionError(f"the line is nowhere at the height {y}")


def line_crossings(one: Line, other: Line) -> int:
    """How often two lines that run downwards exchange sides."""
    heights = sorted({Fraction(y) for _, y in one + other})
    top = min(Fraction(one[0][1]), Fraction(other[0][1]))
    bottom = max(Fraction(one[-1][1]), Fraction(other[-1][1]))
    gaps = [place_at(one, y) - place_at(other, y) for y in heights if bottom <= y <= top]
    sides = [gap > 0 for gap in gaps if gap]
    return sum(side != next_side for side, next_side in pairwise(sides))


def crossings(lines: Iterable[Line]) -> int:
    """How often any two lines cross."""
    return sum(line_crossings(one, other) for one, other in combinations(lines, 2))


def distance(line: Line, point: tuple[float, float]) -> float:
    """How near a line comes to a point."""
    return min(_distance(a, b, point) for a, b in pairwise(line))


def _distance(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    part = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    part = min(max(part, 0.0), 1.0)
    return hypot(a[0] + part * dx - p[0], a[1] + part * dy - p[1])


def pieces(covers: Iterable[tuple[Any, Any]], level: Mapping[Any, int]) -> list[tuple[Any, Any]]:
    """The edges cut into pieces from level to level; each end is (what stands there, level)."""
    result = []
    for u, v in covers:
        passed = [((u, v), k) for k in range(level[u] + 1, level[v])]
        result += list(pairwise([(u, level[u]), *passed, (v, level[v])]))
    return result


def least_crossings(covers: Iterable[tuple[Any, Any]], level: Mapping[Any, int]) -> int:
    """The fewest crossings of all sequences of all levels."""
    cut = pieces(covers, level)
    return min(_crossings(cut, place) for place in _sequences(cut))


def count_sequences(covers: Iterable[tuple[Any, Any]], level: Mapping[Any, int]) -> int:
    """How many sequences `least_crossings` tries."""
    return prod(factorial(len(nodes)) for nodes in _levels(pieces(covers, level)))


def _levels(cut: Sequence[tuple[Any, Any]]) -> list[list[Any]]:
    nodes = {node for piece in cut for node in piece}
    return [[node for node in nodes if node[1] == k] for k in {k for _, k in nodes}]


def _sequences(cut: Sequence[tuple[Any, Any]]) -> Iterator[dict[Any, int]]:
    for rows in product(*map(permutations, _levels(cut))):
        yield {node: place for row in rows for place, node in enumerate(row)}


def _crossings(cut: Sequence[tuple[Any, Any]], place: Mapping[Any, int]) -> int:
    """Pairs of pieces between the same levels whose ends stand in opposite sequences."""
    return sum(
        (place[a] - place[c]) * (place[b] - place[d]) < 0
        for (a, b), (c, d) in combinations(cut, 2)
        if a[1] == c[1]
    )
