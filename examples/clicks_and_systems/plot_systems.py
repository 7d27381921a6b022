"""
Which recommender is surely better?
===================================

Four recommenders score nine dishes for each of eighty users, whose taste is known. Their means all
differ. Which of these differences would other users have shown as well?
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import porank as po

# %%
# Every user likes the dishes in a sequence of their own. A recommender sees this taste through an
# error, the smaller the better the recommender.

rng = np.random.default_rng(8)
tastes = {user: rng.permutation(9) for user in range(80)}
errors = {"popular": 9.0, "recent": 5.0, "similar": 3.0, "blended": 2.8}
systems = {
    name: {user: (taste + rng.normal(0, error, 9)).tolist() for user, taste in tastes.items()}
    for name, error in errors.items()
}

# %%
# A pair of recommenders is compared over the users by a randomization test, and each throw of signs
# serves all six pairs, so that a pair is compared with the clearest of all. What remains is a
# partial order: a line leads down to what is surely worse. Beside it are the means.

target = {user: taste.tolist() for user, taste in tastes.items()}
found = po.compare_systems(target, systems, measures=["kendall_tau"])
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
po.draw_systems(found, measure="kendall_tau", ax=ax)

# %%
# Nothing is said of the two best: their means differ, but not surely.

better = found.order("kendall_tau")
unsure = nx.complement(nx.Graph(po.transitive_closure(better))).edges
assert po.prefers(better, "blended", "recent")
print(found)
print(found.rank_sets("kendall_tau"))
assert {frozenset(edge) for edge in unsure} == {frozenset({"blended", "similar"})}
