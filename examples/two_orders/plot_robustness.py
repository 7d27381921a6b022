"""
Does it matter whether inversions or moves are counted?
=======================================================

Two rankings may be compared by the pairs that stand the other way round (Kendall's distance K) or by
the places that items move (the footrule F). Diaconis and Graham proved that K <= F <= 2 K; Kumar and
Vassilvitskii, that this still holds if a place near the top costs more, and showed it on 80,000
queries of a search engine. Their clicks are not public, so ours are simulated.
"""

from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np

import porank as po

# %%
# First, all 720 rankings of six items are compared with one of them. Then, for each of 200 simulated
# queries, ten results are shown to 1,000 people and ranked by their clicks: once every place costs 1,
# once as much as the discounted cumulative gain loses there.

rng = np.random.default_rng(2010)


def shown_and_clicked():
    """Return the ranking of ten results that is shown, and the one by clicks."""
    quality, misjudged = rng.normal(0, 2, size=(2, 10))
    shown = np.argsort(-quality - misjudged).tolist()
    log = po.simulate_log(dict(enumerate(np.exp(quality))), 1000, shown=shown, seed=rng)
    clicks = np.bincount(log["item"][log["event"] == "click"].astype(int), minlength=10)
    return po.from_ranking(shown), po.from_ranking(np.argsort(-clicks).tolist())


ranking = po.from_ranking("abcdef")
rankings = [(ranking, po.from_ranking(letters)) for letters in permutations("abcdef")]
queries = [shown_and_clicked() for _ in range(200)]
experiments = {
    "six items": (rankings, None),
    "queries, unit costs": (queries, None),
    "queries, costs of DCG": (queries, po.dcg_position_costs(10)),
}

# %%
# All dots lie between the two lines. Which distance is taken changes a result by a factor of two at
# most, so that one may take the one that is easier to compute.

fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
ratios = {}
for ax, (name, (pairs, costs)) in zip(axes, experiments.items(), strict=True):
    kendall = np.array([po.generalized_kendall(*pair, position_costs=costs) for pair in pairs])
    footrule = np.array([po.generalized_footrule(*pair, position_costs=costs) for pair in pairs])
    end = kendall.max()
    ax.plot([0, end], [0, end], "k--", [0, end], [0, 2 * end], "k--", linewidth=0.8)
    ax.scatter(kendall, footrule, s=12)
    ax.set(title=name, xlabel="Kendall's distance, K", ylabel="footrule, F")
    found = footrule[kendall > 0] / kendall[kendall > 0]
    ratios[name] = found.min(), found.max()
    print(f"{name}: the footrule is {found.min():.2f} to {found.max():.2f} times K")
assert all(1 - 1e-9 <= least <= most <= 2 + 1e-9 for least, most in ratios.values())
