"""The vocabulary: what porank's functions take and give.

An edge ``u -> v`` means that u is preferred to v; best is on top.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

#: A node of a graph: any hashable.
Item: TypeAlias = Hashable
#: Items to numbers, larger is better, equal is tied: the compact spelling of a weak order. A
#: one-dimensional array or list stands for the items 0, 1, ..., n - 1.
Scores: TypeAlias = Mapping[Any, Any] | Sequence[Any] | NDArray[Any]
#: Whatever a function takes as an order: an acyclic DiGraph, read through its closure, or scores.
OrderLike: TypeAlias = nx.DiGraph | Scores
#: Numbers of items, of ranks, of levels.
Numbers: TypeAlias = NDArray[np.int64]
#: Probabilities, means, and other numbers that are rounded.
Floats: TypeAlias = NDArray[np.float64]
#: The same, or objects that are fractions.
Matrix: TypeAlias = NDArray[Any]
#: What seeds a random generator.
Seed: TypeAlias = int | np.random.Generator | None
