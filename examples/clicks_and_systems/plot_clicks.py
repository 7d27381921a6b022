"""
How many sessions does it take to find the true order in clicks?
================================================================

The clicks are simulated, so that the order behind them is known: eight items, each one and a half
times as strong as the next. People look at position k of a list with probability 1/k and click what
they like better than nothing. How much of the order is recovered as sessions grow, and what if the
same list is shown to all?
"""

import matplotlib.pyplot as plt

import porank as po
from porank.drawing.style import SERIES

# %%
# Each session shows the eight items shuffled, or always in one sequence that is no order of taste.
# More sessions means going on with the same log.

items = list("ABCDEFGH")
strengths = {item: 1.5**-place for place, item in enumerate(items)}
truth = po.from_ranking(items)
logs = {
    "shuffled lists": po.simulate_log(strengths, 20_000, seed=5),
    "always one list": po.simulate_log(strengths, 20_000, shown=list("EBHADGCF"), seed=5),
}
sizes = [20, 60, 200, 600, 2000, 6000, 20_000]
correct = {name: [] for name in logs}
for name, log in logs.items():
    for size in sizes:
        first = {column: values[log["session"] <= size] for column, values in log.items()}
        net = po.net_preferences(po.from_log(first))
        order, dropped = po.break_cycles(net, weight="margin")
        correct[name].append(po.kendall_tau(truth, order))

# %%
# The rule takes what was bought or clicked to be preferred to what was shown and left. With shuffled
# lists it finds the true order; with one list, what stands on top keeps gaining from its place.

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, values), (look, marker) in zip(correct.items(), SERIES, strict=False):
    style = {"color": look.color, "linestyle": look.dash, "marker": marker}
    ax.semilogx(sizes, values, label=name, **style)
ax.set(title="Simulated clicks", xlabel="sessions", ylabel="Kendall's tau-b with the true order")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)

# %%
# All 28 pairs are right in the end, as long as the lists are shuffled.

assert correct["shuffled lists"][-1] == 1 > max(correct["always one list"])
