"""
At which threshold do the judges agree enough?
==============================================

Seven judges rank six teas. The higher the threshold, the more of them must say that one tea is better
than another, and the fewer pairs are decided. `porank.view` shows all thresholds in a notebook, with a
slider; the frame below is such a page.
"""

from fractions import Fraction

import matplotlib.pyplot as plt

import porank as po

# %%
# Move the slider, point at a tea, click to keep it.

ballots = [
    ("assam", "chai", "darjeeling", "earl grey", "genmaicha", "hojicha"),
    ("chai", "assam", "darjeeling", "earl grey", "hojicha", "genmaicha"),
    ("assam", "chai", "earl grey", "darjeeling", "genmaicha", "hojicha"),
    ("assam", "darjeeling", "chai", "earl grey", "genmaicha", "hojicha"),
    ("chai", "assam", "darjeeling", "genmaicha", "earl grey", "hojicha"),
    ("assam", "chai", "darjeeling", "earl grey", "hojicha", "genmaicha"),
    ("darjeeling", "assam", "chai", "earl grey", "genmaicha", "hojicha"),
]
relation = po.preference_relation([po.from_ranking(ballot) for ballot in ballots])
po.view(relation, title="What seven judges share")

# %%
# These are the orders at three stops of the slider.

curve = po.abstention_curve(relation)
fig, axes = plt.subplots(1, 3, figsize=(10, 5), layout="constrained")
for ax, alpha in zip(axes, (curve.alpha, Fraction(6, 7), 1), strict=True):
    po.draw_hasse(curve.order(alpha), ax=ax)
    ax.set_title(f"threshold {alpha}")
    ax.set_xlabel("lines lead down to the worse")
    ax.set_ylabel("better is higher")
print(curve)

# %%
# Whatever is decided at a threshold is decided at all lower ones.

strict, loose = (set(curve.order(alpha).edges) for alpha in (1, Fraction(6, 7)))
assert strict < loose
