"""
Which laptops cost more than better ones?
=========================================

A laptop is better than another if it is nowhere worse and somewhere better: more memory, a longer
life of its battery, less weight. That is a partial order. Prices are a ranking. Where the two
disagree, somebody pays too much. The eight laptops are invented.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# `from_table` reads a table, here one row for each laptop, as the order of who is better throughout.

columns = ("memory", "hours", "kg", "price")
rows = {
    "Ant": (8, 7, 1.6, 390),
    "Bee": (16, 9, 1.4, 690),
    "Cat": (16, 12, 1.2, 990),
    "Dog": (32, 8, 1.9, 950),
    "Elk": (32, 12, 1.2, 1490),
    "Fox": (16, 8, 1.5, 890),
    "Gnu": (64, 6, 2.4, 1390),
    "Hen": (8, 6, 1.7, 450),
}
laptops = {name: dict(zip(columns, row, strict=True)) for name, row in rows.items()}
better = po.from_table(laptops, maximize=["memory", "hours"], minimize=["kg"])
dearer = po.from_scores({name: laptop["price"] for name, laptop in laptops.items()})

# %%
# Each cell is a pair. Prices decide every pair, and so also those on which the figures are divided.

fig, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
po.draw_pair_matrix(better, dearer, ax=ax)
ax.set(title="Better (target) and dearer (predicted) laptops")

# %%
# Two laptops are better than one that costs more. All other prices go with the figures.

overpriced = [pair[:2] for pair in po.pair_classes(better, dearer) if pair[2] == "discordant"]
assert sorted(overpriced) == [("Ant", "Hen"), ("Bee", "Fox")]
