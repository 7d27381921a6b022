"""
What does the user prefer, and what does the system say?
========================================================

Figure 1 of Ackerman and Chen shows the two orders of their Table 1: what a user prefers among five
items, and what a system predicts. It is drawn here with the one preference, B over E, that their
numbers need and that their table lacks. Both orders leave pairs open.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Best is on top. An item is preferred to all that lines lead down to, and the rank of an item is the
# longest way down to it.

target, predicted = po.load_example("table1-corrected")
fig, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
for ax, order, name in zip(axes, (target, predicted), ("user", "system"), strict=True):
    po.draw_hasse(order, ax=ax)
    decided = len(po.transitive_closure(order).edges)
    ax.set_title(f"What the {name} prefers: {decided} of 10 pairs")

# %%
# The paper gives A and B the rank 1, C and E the rank 2, and D the rank 3.

ranks = po.set_ranks(target)
for item, rank in sorted(ranks.items(), key=lambda pair: (pair[1], pair[0])):
    print(f"{rank}: {item}, above it {sorted(po.up_set(target, item))}")

# %%
# The two orders agree on three pairs and contradict each other on one.

for name, order in (("user", target), ("system", predicted)):
    print(f"{name}: {po.levels(order)}, {po.count_linear_extensions(order)} rankings are possible")
table = po.pair_table(target, predicted)
for u, v, kind in po.pair_classes(target, predicted):
    if kind == "concordant":
        print(f"both prefer {u} to {v}")
    if kind == "discordant":
        print(f"the user prefers {u} to {v}, and the system has it the other way round")
assert ranks == {"A": 1, "B": 1, "C": 2, "E": 2, "D": 3}
assert (table.concordant, table.discordant) == (3, 1)
