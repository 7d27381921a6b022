"""
Which of twenty models may be the best?
=======================================

A leaderboard ranks twenty models from 1 to 20 by their mean scores at forty tasks. Which of its
statements would other tasks have confirmed, and which ranks may each model have?
"""

import matplotlib.pyplot as plt
import numpy as np

import porank as po

# %%
# Five groups of four models; on a single task the error is as large as the step between groups.

rng = np.random.default_rng(20)
skills = np.repeat([4, 3.2, 3, 2, 1], 4) + rng.normal(0, 0.15, 20)
table = {
    f"m{k:02}": (skill + rng.normal(0, 1, 40)).round(2).tolist()
    for k, skill in enumerate(skills, start=1)
}

# %%
# All 190 pairs are tested, max-T keeps the probability of any false finding at 0.05, and
# what follows from true statements is true. So the order may be closed, and the ranks that it leaves
# open hold for all models at once.

found = po.compare_scores(table)
order, means = found.order(), found.means["score"]
fig, axes = plt.subplots(1, 3, figsize=(9, 5.6), layout="constrained", width_ratios=(1.2, 3, 5))
po.draw_hasse(po.from_scores(means), ax=axes[0])
po.draw_rank_intervals(order, ax=axes[1])
po.draw_hasse(order, ax=axes[2])
for ax, title in zip(axes, ("a list", "intervals", "an order"), strict=True):
    ax.set(title=title, xlabel="rank" if title == "intervals" else "better above", ylabel="rank")
axes[1].set_ylabel("models")

# %%
# The list has a winner. The order has five models that may be it.

best = [model for model, (rank, _) in found.rank_sets().items() if rank == 1]
print(f"{len(order.edges)} of 190 pairs decided; the best may be {', '.join(best)}")
assert len(best) == 5
assert max(means, key=means.get) in best
