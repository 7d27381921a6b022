"""
Which types of order are there on four items?
=============================================

Four items can be ordered in 219 ways if some pairs may stay open. We find them all by trying every
set of pairs, and ask of each for the narrowest type it belongs to: total, weak, semiorder, interval
order, or none of these.
"""

from collections import Counter
from itertools import chain, combinations, permutations

import matplotlib.pyplot as plt

import porank as po
from porank.drawing.style import SERIES

# %%
# An order is a set of pairs without a cycle in which nothing is missing that follows.

items = list("abcd")
pairs = list(permutations(items, 2))
orders = []
for chosen in chain.from_iterable(combinations(pairs, size) for size in range(7)):
    G = po.from_pairs(chosen, items)
    if po.is_acyclic(G) and po.transitive_closure(G).edges == G.edges:
        orders.append(G)

# %%
# Most of them are not rankings with ties: weak orders are one in three.

counts = Counter(map(po.order_type, orders))
types = ["total", "weak", "semiorder", "interval", "partial"]
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
bars = ax.bar(types, [counts[kind] for kind in types], color=SERIES[0][0].color)
ax.bar_label(bars, padding=2)
ax.set_title("The 219 orders on four items")
ax.set(xlabel="narrowest type", ylabel="orders on four items", ylim=(0, 120))
ax.spines[["top", "right"]].set_visible(False)

# %%
# Summed up from the narrowest, the counts are well known: 24 rankings, 75 weak orders, 183
# semiorders, 207 interval orders, 219 orders (A000142, A000670, A006531, A079144 and A001035 of
# the On-Line Encyclopedia of Integer Sequences).

sums = [sum(counts[kind] for kind in types[: wide + 1]) for wide in range(5)]
assert sums == [24, 75, 183, 207, 219]
