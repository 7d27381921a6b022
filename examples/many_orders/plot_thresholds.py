"""
What can still be said when more judges must agree?
===================================================

Twenty-one judges rank six teas. Keep only what a share of at least alpha of them prefers. As alpha
grows, pairs drop out of the order, those first on which the judges are most divided; what remains
at the end is what all of them say.
"""

from itertools import pairwise

import matplotlib.pyplot as plt

import porank as po

# %%
# The judges are simulated by the model of Plackett and Luce, each tea being twice as strong as the
# next: the first two or three places of a ranking are clear, the last ones are not.

teas = ["Assam", "Ceylon", "Darjeeling", "Jasmine", "Oolong", "Sencha"]
strengths = {tea: 2.0**-place for place, tea in enumerate(teas)}
votes = po.plackett_luce(strengths, 21, seed=3)
curve = po.abstention_curve(po.preference_relation(votes), po.from_ranking(teas))

# %%
# Some of the orders stand above, each at its threshold; below, the bar of a pair is the longer, the
# more judges stand behind it.

fig, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
po.draw_thresholds(curve, ax=ax)

# %%
# Every order is part of the one before it. The one pair that the judges have the wrong way round is
# the first to drop out.

points = [point for point in curve if point.is_acyclic]
orders = [curve.order(point.alpha) for point in points]
wrong = [
    [(u, v) for u, v, kind in po.pair_classes(po.from_ranking(teas), order) if kind == "discordant"]
    for order in orders
]
for point, pairs in zip(points, wrong, strict=True):
    print(f"{point.alpha}: {point.pairs} pairs, {len(pairs)} wrong")
assert wrong[0] == [("Assam", "Ceylon")]
assert all(set(later.edges) <= set(earlier.edges) for earlier, later in pairwise(orders))
assert not any(wrong[2:])
