"""Analyse a single order: its closure, cycles, ranks, type and dimension.

The witnesses of types are named here and not in `porank` itself; `order_type` returns them, too.
"""

from porank.orders.types import find_three_plus_one as find_three_plus_one
from porank.orders.types import find_two_plus_two as find_two_plus_two
