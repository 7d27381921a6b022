"""
What does an ensemble of lines say about five queries?
======================================================

Good and bad instances have two attributes. A linear model scores every instance, so that its scores
rank five new ones, the queries. Models trained on samples of the data differ a little, and their
rankings disagree where the data do not decide: there the prediction abstains. This is the
illustrating example of Cheng, Rademaker, De Baets and Hüllermeier, on data of our own.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

import porank as po
from porank.drawing.style import MUTED, SERIES

# %%
# Two clouds of 30 instances, five queries, and ten models, each of a bootstrap sample.

rng = np.random.default_rng(11)
X = np.vstack([rng.normal((-0.8, -0.5), 1, (30, 2)), rng.normal((0.8, 0.5), 1, (30, 2))])
y = np.repeat([0, 1], 30)
queries = np.array([[2.2, 1.2], [1.3, -1.4], [-0.3, 1.5], [-0.9, -0.7], [-2.2, -0.6]])
ranker = po.PartialRanker(LogisticRegression(), seed=3, alpha="consensus").fit(X, y)
predicted = ranker.predict(queries, items=list("abcde"))

# %%
# Left, the data and the line of each model; right, the order of the queries that they agree on.

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for kind, name, (look, marker) in zip((1, 0), ("good", "bad"), SERIES, strict=False):
    left.scatter(*X[y == kind].T, color=look.color, marker=marker, s=24, alpha=0.8, label=name)
for k, model in enumerate(ranker.estimators_):
    (slope,), (shift,) = model.coef_, model.intercept_
    style = {"color": MUTED, "linewidth": 0.7, "label": "a model" if k == 0 else None}
    left.axline((0, -shift / slope[1]), slope=-slope[0] / slope[1], **style)
for name, place in zip("abcde", queries, strict=True):
    left.annotate(name, place, weight="bold", ha="center", bbox={"fc": "white", "pad": 2})
left.set(xlabel="first attribute", ylabel="second attribute", title="Ten models")
left.set(xlim=(-3.5, 3.5), ylim=(-3.5, 3.5))
left.legend(loc="lower right", fontsize=8)
po.draw_hasse(predicted, ax=right)

# %%
# All ten put a first and e last. On b and c they differ: the lines have different slopes.

print(po.format_order(predicted))
assert po.maximal_items(predicted) == ["a"]
assert po.minimal_items(predicted) == ["e"]
assert not po.is_total_order(predicted)
