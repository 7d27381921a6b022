"""
Is a ranker right more often where its copies agree?
====================================================

A linear model is to tell which of two patients will be worse off a year later, from ten figures
about each. We train it on 100 bootstrap samples and keep a preference only if a share of at least
alpha of the copies has it. The higher alpha, the fewer pairs of patients are decided
(completeness), and the more often rightly (correctness).
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split

import porank as po

# %%
# Half of the 442 patients are there to learn from, the other half to be ranked.

X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
ranker = po.PartialRanker(LinearRegression(), n_members=100, seed=0).fit(X_train, y_train)
P = ranker.preferences(X_test)
curve = po.abstention_curve(P, y_test)
points = [point for point in curve if point.is_acyclic]

# %%
# The ring is the minimal threshold: below it there is a cycle, and no order. The dotted line is the
# correctness of the model trained once on all rows: it decides every pair.

once = LinearRegression().fit(X_train, y_train).predict(X_test)
without = po.correctness(y_test, once)
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
po.draw_tradeoff(curve, ax=ax)
ax.axhline(without, color="black", linewidth=1, linestyle=":")
ax.text(0.01, without, "no abstention", verticalalignment="bottom", fontsize=8)

# %%
# Completeness can only fall. That correctness rises is not a law; here it does.

fallen = [point.completeness for point in points]
assert fallen == sorted(fallen, reverse=True)
assert points[-1].correctness > points[0].correctness + 0.1
