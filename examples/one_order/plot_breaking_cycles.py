"""
How many edges must go to break all cycles?
===========================================

A judge compares any two of 12 items and errs now and then, so that the answers form a graph with
cycles. Dropping the wrong answers would break every cycle, but nobody knows which they are. How few
answers can be dropped instead?
"""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np

import porank as po
from porank.drawing.style import MUTED, SERIES

# %%
# The truth is the ranking 0 > 1 > ... > 11. Each answer is reversed with the same probability,
# which grows from try to try.

rng = np.random.default_rng(2011)
truth = list(combinations(range(12), 2))
wrong, dropped = [], []
for error in np.linspace(0, 0.4, 80):
    reverse = rng.random(len(truth)) < error
    answers = [(v, u) if turn else (u, v) for (u, v), turn in zip(truth, reverse, strict=True)]
    order, edges = po.break_cycles(po.from_pairs(answers))
    wrong.append(int(reverse.sum()))
    dropped.append(len(edges))

# %%
# A few wrong answers are few edges to drop. Many wrong answers are more consistent with some other
# ranking than with the truth, and the two numbers part.

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.plot([0, max(wrong)], [0, max(wrong)], "--", color=MUTED, label="as many as are wrong")
style = {"color": SERIES[0][0].color, "alpha": 0.6, "label": "fewest that break all cycles"}
ax.plot(wrong, dropped, "o", **style)
ax.set_title("Answers to drop, so that no cycle is left")
ax.set(xlabel="wrong answers, of 66", ylabel="answers dropped")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)

# %%
# The wrong answers are always one way to break the cycles, never better than the best.

assert all(few <= many for few, many in zip(dropped, wrong, strict=True))
