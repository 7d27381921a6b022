"""
When may each step of a recipe come?
====================================

To make pancakes, the batter must rest before it is fried and the pan must be hot; but whether apples
are cut first or last is left open. Such rules are a partial order: a step above another comes before
it. At which place may a step come, and where does it come on average if all sequences that keep the
rules are equally likely?
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Every rule is a chain of steps, each before the next one.

rules = """
weigh flour > sift flour > mix batter > let it rest > fry > serve
crack eggs > mix batter
melt butter > mix batter
melt butter > heat pan > fry
peel apples > cut apples > serve
"""
recipe = po.parse(rules)
sequences = po.count_linear_extensions(recipe)
means = po.expected_ranks(recipe, exact=True)

# %%
# A bar spans the places that are possible, the darker, the more probable. What few steps wait for is
# nearly free.

fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
po.draw_rank_intervals(recipe, ax=ax)
ax.set(
    title=f"Pancakes in {sequences:,} sequences",
    xlabel="place in the sequence",
    ylabel="step",
)

# %%
# Serving comes last in every sequence, and cutting the apples anywhere from second to last but one.

assert po.rank_intervals(recipe)["serve"] == (11, 11)
assert po.rank_intervals(recipe)["cut apples"] == (2, 10)
assert sum(means.values()) == 11 * 12 / 2
