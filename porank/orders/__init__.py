"""Analyse a single order: its closure, cycles, ranks, type and dimension.

The witnesses of types are named here and not in `porank` itself; `order_type` returns some, too.
"""

from porank.orders.lattices import find_missing_bound as find_missing_bound
from porank.orders.lattices import find_pentagon_or_diamond as find_pentagon_or_diamond
from porank.orders.ranks import find_unequal_chains as find_unequal_chains
from porank.orders.types import find_n as find_n
from porank.orders.types import find_three_plus_one as find_three_plus_one
from porank.orders.types import find_two_plus_two as find_two_plus_two
