"""The types of arguments and results.

An edge ``u -> v`` means that u is preferred to v.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

#: A node of a graph: any hashable object.
Item: TypeAlias = Hashable
#: Items to numbers; larger is better, and equal is tied: a compact form of a weak order. A
#: one-dimensional array or list has the numbers of the items 0, 1, ..., n - 1.
Scores: TypeAlias = Mapping[Any, Any] | Sequence[Any] | NDArray[Any]
#: What functions accept as an order: an acyclic DiGraph, read as its closure, or scores; `Ranks`
#: are a mapping, too, in which smaller is better.
OrderLike: TypeAlias = nx.DiGraph | Scores
#: Numbers of items, ranks or levels.
Numbers: TypeAlias = NDArray[np.int64]
#: Probabilities, means and other floats.
Floats: TypeAlias = NDArray[np.float64]
#: The same, or an array of fractions.
Matrix: TypeAlias = NDArray[Any]
#: The seed of a random generator.
Seed: TypeAlias = int | np.random.Generator | None
