"""Small PrefLib files, and how the tests read them."""

from __future__ import annotations

import io
from typing import Any

import porank as po
from porank.convert.profiles import Profile
from porank.readwrite.preflib import read_preflib

HEADER = """# FILE NAME: wine.toi
# TITLE: A tasting: round 1
# DESCRIPTION:
# DATA TYPE: toi
# MODIFICATION TYPE: synthetic
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 10
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Red
# ALTERNATIVE NAME 2: White
# ALTERNATIVE NAME 3: Rosé
# ALTERNATIVE NAME 4: None: of these
"""
TOI = HEADER + "5: 3,{1,2}\n3: 4\n2: {1,2,3,4}\n"


def read(text: str, **options: Any) -> Profile:
    """Read a text as an open file."""
    return read_preflib(io.StringIO(text, newline=""), **options)


def names(n: int) -> str:
    """Return the lines that name n alternatives A, B, C ..."""
    return "".join(f"# ALTERNATIVE NAME {i}: {chr(64 + i)}\n" for i in range(1, n + 1))


def levels(profile: Profile) -> list[list[set[Any]]]:
    """Return the levels of each order, best first."""
    return [[set(level) for level in po.levels(order)] for order in profile.orders]
