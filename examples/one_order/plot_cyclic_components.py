"""
Which teams beat each other in a cycle?
=======================================

In a tournament every team plays every other, and the results hardly ever form a ranking: A beats B,
B beats C, and C beats A. Teams that can be reached from each other by wins are a cyclic component.
Between components the order is clear; inside, no result is safer than another. The results are
simulated.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np

import porank as po

# %%
# The larger the difference of two strengths, the surer the stronger team wins.

teams = ["Aare", "Birs", "Doubs", "Emme", "Inn", "Kander", "Limmat", "Reuss", "Saane", "Thur"]
strength = dict(zip(teams, np.linspace(5, 0, len(teams)), strict=True))
rng = np.random.default_rng(7)
results = []
for u, v in itertools.combinations(teams, 2):
    u_wins = rng.random() < 1 / (1 + np.exp(-1.4 * (strength[u] - strength[v])))
    results.append((u, v) if u_wins else (v, u))
won = po.from_pairs(results)

# %%
# A cyclic component is drawn as one dashed box with its members.

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
po.draw_hasse(won, ax=ax)
ax.set_title(f"{len(teams)} teams, {len(results)} matches")

# %%
# To make a ranking of it, some results must be dropped.

ranking, dropped = po.break_cycles(won)
components = [node for node in po.condense(won) if isinstance(node, frozenset)]
print([sorted(component) for component in components], dropped)
assert all(any({u, v} <= component for component in components) for u, v in dropped)
assert po.is_acyclic(ranking)
