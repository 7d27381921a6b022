"""
How cyclic are battles?
=======================

Ten models battle in pairs, and their majorities run in circles: the fewer battles, the more. How much
of the margins must be turned until no cycle is left?
"""

from itertools import combinations

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import porank as po

# %%
# Each model has a strength, and wins a battle with a probability that grows with the difference.

models = "ABCDEFGHIJ"
strength = dict(zip(models, np.linspace(1, 0, 10), strict=True))


def battles(each, seed=5):
    """Return who won how often against whom, each pair having so many battles."""
    rng, G = np.random.default_rng(seed), nx.DiGraph()
    for u, v in combinations(models, 2):
        won = int(rng.binomial(each, 1 / (1 + np.exp(strength[v] - strength[u]))))
        G.add_edge(u, v, support=won, against=each - won)
    return G


# %%
# The least total of margins to turn is exact for up to sixteen items in a strongly connected
# component. It falls to 0 as battles grow.

sizes = [3, 9, 31, 101, 301, 1001]
found = [po.cyclicity(battles(each)) for each in sizes]
turned = [each.upper / each.total for each in found]
fig, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.semilogx(sizes, turned, "o-", color="#b23b00")
ax.set(xlabel="battles of each pair", ylabel="share of the margins to be turned")

# %%
# The heaviest cycle of the fewest battles is the witness.

print(found[0])
assert all(each.is_exact for each in found)
assert turned[-1] < 0.01 < turned[0]
