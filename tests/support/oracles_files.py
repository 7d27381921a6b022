"""File formats by their definitions: what a line says, read with no thought of speed."""

import itertools
from collections.abc import Iterable
from typing import Any


def preflib_levels(text: str, n: int, *, empty: bool = False) -> list[list[int]] | None:
    """The levels that ``3,{1,2}`` lists of the alternatives 1..n, or None if it is no such text."""
    levels: list[list[int]] = []
    rest = "".join(text.split(" "))
    if any(first.isdigit() and second.isdigit() for first, second in _neighbours(text)):
        return None
    while rest:
        if rest[0] == "{":
            inner, brace, rest = rest[1:].partition("}")
            level = inner.split(",") if inner or not empty else []
        else:
            number, brace, rest = rest.partition(",")
            level, brace, rest = [number], "}", brace + rest
        if not brace or (rest and (rest[0] != "," or rest == ",")):
            return None
        rest = rest[1:]
        if not all(name in map(str, range(1, n + 1)) for name in level):
            return None
        levels.append(list(map(int, level)))
    listed = [number for level in levels for number in level]
    return levels if len(set(listed)) == len(listed) else None


def _neighbours(text: str) -> Iterable[tuple[str, str]]:
    """The last sign before and the first sign after each run of blanks."""
    words = text.split()
    return ((before[-1], after[0]) for before, after in itertools.pairwise(words))


def levels_of_scores(scores: dict[Any, Any]) -> list[set[Any]]:
    """The items of each score, best first."""
    return [
        {item for item, score in scores.items() if score == level}
        for level in sorted(set(scores.values()), reverse=True)
    ]
