"""
What can be said when the customers disagree?
=============================================

Three customers rank cars, vans, SUVs and trucks. Each of them has a total order, and no two have the
same. What all three agree on is a partial order: it says less, and nothing that one of them denies.
The votes are made up; the four kinds are those of Cheng and his co-authors.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# The three total orders stand beside what they have in common.

*customers, agreed = po.load_example("vehicles")
fig, axes = plt.subplots(1, 4, figsize=(11, 3.6), layout="constrained")
for number, (ax, order) in enumerate(zip(axes, [*customers, agreed], strict=True), start=1):
    po.draw_hasse(order, ax=ax)
    ax.set_xlabel(f"type: {po.order_type(order)}")
    ax.set_title(f"Customer {number}" if order is not agreed else "All three")

# %%
# The partial order is the intersection of the three. It leaves two pairs open, and there are three
# rankings that it allows.

common = po.intersection(*customers)
print(po.format_order(common))
print("open:", [pair[:2] for pair in po.pair_classes(common, common) if pair[2] == "neither"])
for ranking in po.linear_extensions(common):
    print(" > ".join(ranking))

# %%
# Every customer's ranking is among them, and here the three are all.

for number, order in enumerate(customers, start=1):
    share = po.completeness(order, common)
    print(f"of what customer {number} says, {share:.0%} is common to all")
allowed = {tuple(ranking) for ranking in po.linear_extensions(common)}
stated = {tuple(sorted(order, key=po.set_ranks(order).get)) for order in customers}
assert set(common.edges) == set(agreed.edges)
assert stated == allowed
