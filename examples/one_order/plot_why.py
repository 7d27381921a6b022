"""
Why is it above, and how firmly?
================================

An order that friends support says that one film is above another. Which chains of statements lead
there, and how many votes would have to be lost for it to fall?
"""

import matplotlib.pyplot as plt
import numpy as np

import porank as po

# %%
# Eleven friends rank six films, with errors; what six in ten say is kept.

films = ["Alien", "Brazil", "Clue", "Dune", "Eva", "Fargo"]
rng = np.random.default_rng(6)
votes = [dict(zip(films, rng.normal([5, 4, 3, 2, 1, 0], 2.2), strict=True)) for _ in range(11)]
order = po.predict_order(po.preference_relation(votes), alpha=0.6)

# %%
# A stated pair has a margin: so many of those who say so must be lost to take it below the
# threshold. Chains that share no vote prove how firm a statement is, and a cheapest cut breaks them
# all.

found = po.why(order, "Alien", "Fargo")
print(found)

# %%
# Of the lines of the diagram each hangs by its own margin alone.

weakest = po.weakest(order, 2)
fig, (ax, beside) = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
po.draw_hasse(order, ax=ax)
told = ", ".join(f"{u} > {v}" for u, v, _ in weakest)
ax.set(title=f"weakest: {told}", xlabel="better above", ylabel="rank")
for place, (amount, chain) in enumerate(found.chains):
    beside.barh(place, amount, color="#9fc3e6")
    beside.text(0.1, place, " > ".join(chain), va="center")
beside.set(
    yticks=[], xlabel="statements", ylabel="chains", title=f"Alien > Fargo by {found.evidence}"
)
beside.invert_yaxis()
assert sum(amount for amount, _ in found.chains) == found.evidence
assert all(po.why(order, u, v).evidence == margin for u, v, margin in weakest)
