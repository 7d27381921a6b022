"""
Which way of aggregating finds the center again?
================================================

Rankings are drawn around a center by Mallows' model: the larger the dispersion, the less they know
of it. Kemeny's order of them is the most likely center. How near to the center do the other methods
come, that cost less?
"""

import matplotlib.pyplot as plt
import numpy as np

import porank as po
from porank.drawing.style import SERIES

# %%
# We draw nine rankings of 12 items, twenty times for each dispersion, and count the pairs of the
# center that each aggregate has the wrong way round; a tied pair counts one half.

center, tries = list(range(12)), 20
dispersions = [0.5, 0.6, 0.7, 0.8, 0.9]
methods = ["kemeny", "borda", "copeland", "best_input"]
wrong = {method: np.zeros(len(dispersions)) for method in methods}
costs = {method: np.zeros(len(dispersions)) for method in methods}
for place, dispersion in enumerate(dispersions):
    for seed in range(tries):
        votes = po.mallows(center, 9, dispersion=dispersion, seed=1000 * place + seed)
        for method in methods:
            found = po.aggregate(votes, method=method)
            lost = po.partial_kendall_distance(po.from_ranking(center), found.order())
            wrong[method][place] += lost / tries
            costs[method][place] += float(found.cost) / tries

# %%
# The orders of Borda and Copeland, which are quickly found, come nearly as near as Kemeny's; the best
# of the members does not, since each member has its own errors.

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, pairs), (look, marker) in zip(wrong.items(), SERIES, strict=False):
    style = {"color": look.color, "linestyle": look.dash, "marker": marker}
    ax.plot(dispersions, pairs, label=name, **style)
ax.set(title="How near to the center methods come")
ax.set(xlabel="dispersion of the members", ylabel="pairs of the center that are wrong")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)

# %%
# No order costs less than Kemeny's, and the best member costs at most twice as much.

assert all((costs["kemeny"] <= cost).all() for cost in costs.values())
assert (costs["best_input"] <= 2 * costs["kemeny"]).all()
