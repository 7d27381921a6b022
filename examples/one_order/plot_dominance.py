"""
Which cafés are better in both respects?
========================================

Of two indicators, quality and price, one café dominates another if it is at least as good in both and
better in one. Orders of this kind have dimension at most 2: better is to the right *and* above, and no
line is needed to see it.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Made-up figures: quality from 0 to 10, and what a cappuccino costs.

cafes = {
    "Luna": {"quality": 8.1, "price": 3.5},
    "Sol": {"quality": 6.2, "price": 2.8},
    "Mar": {"quality": 7.4, "price": 4.1},
    "Rio": {"quality": 4.3, "price": 2.2},
    "Fiume": {"quality": 5.0, "price": 4.6},
    "Neve": {"quality": 7.0, "price": 3.1},
}
order = po.from_table(cafes, maximize="quality", minimize="price")
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
po.draw_dominance(order, ax=left)
po.draw_hasse(order, ax=right)
right.set_title("the same order as a Hasse diagram")

# %%
# The coordinates are the positions in the two rankings of a realizer, which any order of dimension at most
# 2 has.

realizer = po.find_realizer(order)
for ranking in realizer:
    print(" > ".join(ranking))
both = po.intersection(*map(po.from_ranking, realizer))
assert po.format_order(both) == po.format_order(order)
