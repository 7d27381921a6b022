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

import porank as po

# %%
# First, all 720 rankings of six items are compared with one of them. Then, for each simulated query,
# ten results are shown to 1,000 people and ranked by their clicks: once every place costs 1, once as
# much as the discounted cumulative gain loses there.

ranking = po.from_ranking("abcdef")
rankings = [(ranking, po.from_ranking(letters)) for letters in permutations("abcdef")]
experiments = {
    "six items": (rankings, "unit"),
    "unit": (200, "unit"),
    "DCG": (200, "dcg"),
}
fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for ax, (pairs, costs) in zip(axes, experiments.values(), strict=True):
    po.draw_robustness(pairs, position_costs=costs, seed=2010, ax=ax)

# %%
# All dots lie between the two lines. Which distance is taken changes a result by a factor of two at
# the most, so that one may take the one that is easier to compute.

for ax, name in zip(axes, experiments, strict=True):
    (dots,) = (artist for artist in ax.collections if str(artist.get_gid()).startswith("pairs"))
    places = dots.get_offsets().tolist()
    ratios = [footrule / kendall for kendall, footrule in places if kendall > 0]
    print(f"{name}: the footrule is {min(ratios):.2f} to {max(ratios):.2f} times K")
    assert 1 - 1e-9 <= min(ratios) <= max(ratios) <= 2 + 1e-9
(dots,) = (artist for artist in axes[0].collections if str(artist.get_gid()).startswith("pairs"))
assert max(dots.get_offsets().tolist()) == [15, 18]  # the reversal
