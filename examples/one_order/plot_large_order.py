"""
How does an order of 240 items look?
====================================

A table of many items and two figures, both to be large, is an order in which most pairs are open.
Can it still be looked at? Where boxes have no room, items are dots; what one asks about stands out
and has its names, beside the dots.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import porank as po

# %%
# The figures of the items are random, and a little alike.

rng = np.random.default_rng(2026)
quality = rng.normal(size=240)
points = {
    f"n{number}": dict(zip("xy", quality[number] + rng.normal(scale=0.5, size=2), strict=True))
    for number in range(240)
}
order = po.from_table(points, maximize=["x", "y"])

# %%
# A longest chain stands out, drawn with the lines along it.

chain = nx.dag_longest_path(po.transitive_reduction(order))
levels = po.levels(order)
fig, ax = plt.subplots(figsize=(10, 8), layout="constrained")
po.draw_hasse(order, highlight=chain, ax=ax)
ax.set_title(f"240 items on {len(levels)} levels, and a chain of {len(chain)}")

# %%
# There are as many levels as the longest of all chains has items.

print(f"{po.width(order)} items, no two of them comparable, is the most that can be found")
assert len(chain) == len(levels) == po.height(order)
assert all(po.prefers(order, u, v) for u, v in pairwise(chain))
