"""
What did the new version of a ranker unlearn?
=============================================

A ranker is trained again, and its order of twelve pages is not what it was. Side by side, with every
page in the same place, the old order is on the left and the new one on the right. Lines of the new
one that do not lead down have an arrow.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Each version is what nine simulated rankers agree on, by the model of Mallows around one ranking;
# the second time they start from another one, in which the best page fell by four places.

pages = list("ABCDEFGHIJKL")
fallen = list("BCDEAFGHIJKL")
versions = []
for center, seed in ((pages, 1), (fallen, 2)):
    votes = po.mallows(center, 9, dispersion=0.45, seed=seed)
    versions.append(po.predict_order(po.preference_relation(votes), alpha=7 / 9))
old, new = versions

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 6), layout="constrained")
layout = po.hasse_layout(old)
po.draw_hasse(old, layout=layout, title="The old order of twelve pages", ax=left)
po.draw_hasse(new, layout=layout, title="The new one", ax=right)

# %%
# The pages that are now above A are those that it was above.

lost = [pair[:2] for pair in po.pair_classes(old, new) if pair[2] == "discordant"]
print(lost)
for name, order in (("old", old), ("new", new)):
    print(f"{name}: {po.format_order(order)}")
ranks = po.set_ranks(new)
print(f"{len(lost)} pair turned round; A has the rank {ranks['A']}, D the rank {ranks['D']}")
print(f"tau a: {po.kendall_tau(old, new, variant='a'):.2f}")

# %%
# Contradictions are all about A.

assert lost
assert all("A" in pair for pair in lost)
