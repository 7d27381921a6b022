"""
Which threshold keeps a promise?
================================

Predictions of what users like may abstain below a threshold. How high must it be, if on average over
new users at most one pair in twenty may be predicted the wrong way round?
"""

import matplotlib.pyplot as plt
import numpy as np

import porank as po

# %%
# Sixty users like five dishes each in a sequence of their own, and eight votes of a ranker that errs
# stand for each of them.

rng = np.random.default_rng(1)
tastes = [rng.permutation(5).tolist() for _ in range(60)]
votes = [[(taste + rng.normal(0, 3, 5)).tolist() for _ in range(8)] for taste in tastes]
relations = [po.preference_relation(each) for each in votes]

# %%
# Forty users are known. The larger the risk that is allowed, the lower the threshold may be, and the
# more pairs are decided.

risks = [0.03, 0.05, 0.08, 0.12]
found = [po.calibrate_threshold(relations[:40], tastes[:40], risk=risk) for risk in risks]

# %%
# On the twenty others the promise is tried: the share of pairs the wrong way round, and of pairs
# decided.

wrong, decided = [], []
for each in found:
    tables = [
        po.pair_table(taste, each.predict(P))
        for taste, P in zip(tastes[40:], relations[40:], strict=True)
    ]
    wrong.append(np.mean([table.discordant for table in tables]) / 10)
    decided.append(np.mean([table.concordant + table.discordant for table in tables]) / 10)
fig, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.plot(risks, risks, "--", color="#888888", label="promised at most")
ax.plot(risks, wrong, "o-", color="#b23b00", label="the wrong way round")
ax.plot(risks, decided, "s-", color="#00457c", label="decided")
ax.set(xlabel="risk allowed", ylabel="share of all pairs", ylim=(0, 1))
ax.legend()

# %%
# With more risk allowed, more is decided.

print([str(each.alpha) for each in found])
assert decided == sorted(decided)
