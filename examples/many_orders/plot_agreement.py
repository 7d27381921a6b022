"""
How much do k random rankings agree on?
=======================================

What k rankings agree on is their intersection: u is above v if it is so in every one of them. A
first ranking puts one of any two items above the other, and each of the k - 1 others agrees with
probability 1/2. So 2**(1 - k) of the pairs remain, on average.
"""

from math import comb

import matplotlib.pyplot as plt

import porank as po
from porank.drawing.style import SERIES

# %%
# We intersect more and more rankings of 60 items, and count the pairs that stay comparable.

n, most, repeats = 60, 8, 20
shares: dict[int, list[float]] = {k: [] for k in range(1, most + 1)}
for seed in range(repeats):
    rankings = [po.random_ranking(n, seed=1000 * seed + k) for k in range(most)]
    for k in shares:
        agreed = po.transitive_closure(po.intersection(*rankings[:k]))
        shares[k].append(agreed.number_of_edges() / comb(n, 2))

# %%
# Each dot is one try; the line is the expectation.

expected = [2 ** (1 - k) for k in shares]
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
blue = SERIES[2][0].color
for k, seen in shares.items():
    name = "one try" if k == 1 else None
    ax.plot([k] * repeats, seen, "o", color=blue, alpha=0.35, markersize=5, label=name)
ax.plot(list(shares), expected, "k-", label=r"expected, $2^{1-k}$")
ax.set(title="What k random rankings agree on")
ax.set(xlabel="number of rankings, k", ylabel="share of pairs they agree on", ylim=(0, 1.05))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)

# %%
# The means lie close to the expectation.

means = [sum(seen) / repeats for seen in shares.values()]
assert all(abs(mean - share) < 0.03 for mean, share in zip(means, expected, strict=True))
