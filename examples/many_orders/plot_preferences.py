"""
How many judges must agree before their tastes make an order?
=============================================================

Fifteen judges rank seven teas. To keep each preference that a majority has looks fair, but the
majority may form a cycle: it was Condorcet who saw that, in 1785. How many judges must share a
preference so that no circle is left?
"""

from fractions import Fraction

import matplotlib.pyplot as plt

import porank as po

# %%
# The judges are simulated: their rankings scatter round a common one by Mallows' model.

teas = ["Assam", "Ceylon", "Darjeeling", "Earl Grey", "Jasmine", "Oolong", "Sencha"]
votes = po.mallows(teas, 15, dispersion=0.75, seed=0)
P = po.preference_relation(votes)

# %%
# The darker a cell, the more judges prefer the tea of the row to that of the column. A line goes
# round what is kept: on the left what at least 8 of 15 say, on the right what at least 9 say, the
# fewest that leave no circle.

fig, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for ax, alpha in zip(axes, ("majority", "minimal"), strict=True):
    po.draw_preferences(P, alpha=alpha, ax=ax)
    ax.set_ylabel("share of judges who prefer this one")

# %%
# The order on the right leaves three pairs open. One of its 18 pairs follows from the others alone:
# too few judges have said it themselves.

circles = {}
for judges in range(8, 16):
    share = Fraction(judges, 15)
    circle = circles[judges] = P.find_blocking_cycle(share)
    remark = f"the circle {' > '.join(circle)}" if circle else "no circle"
    print(f"{judges} of 15 judges: {P.cut(share).number_of_edges()} pairs, {remark}")
order = po.predict_order(P)
added = [(u, v) for u, v, is_added in order.edges(data="added") if is_added]
assert [judges for judges, circle in circles.items() if circle] == [8]
assert order.graph["alpha"] == Fraction(9, 15)
assert (order.number_of_edges(), added) == (18, [("Ceylon", "Assam")])
