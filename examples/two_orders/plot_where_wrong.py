"""
Where does a prediction go wrong?
=================================

A number says how far a prediction agrees with the truth. A picture says where it does not. Ten films
have been watched, with a partial order of who likes what; a recommender, that knows a few of the
preferences and guesses at others, predicts another one. Both are invented.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Both orders in one diagram, the films in the places that the truth gives them. A line that leads
# against the truth, or without it, has an arrow.

truth = po.parse(
    "Alien > Brazil > Duel > Gilda; Alien > Casablanca > Fargo > Gilda; Brazil > Fargo;"
    "Casablanca > Evita > Heat; Duel > Ikiru; Fargo > Ikiru; Heat > Jaws"
)
guess = po.parse(
    "Alien > Casablanca > Brazil > Duel > Ikiru; Fargo > Duel; Casablanca > Heat > Evita;"
    "Fargo > Gilda; Evita > Jaws; Ikiru > Jaws"
)
fig, ax = plt.subplots(figsize=(7, 5), layout="constrained")
po.draw_comparison(truth, guess, ax=ax)
ax.set_title("Ten films: what is liked better, and what was predicted")

# %%
# The pairs that are contradicted are few; most of the loss is silence.

table = po.pair_table(truth, guess)
print(f"correctness {po.correctness(truth, guess):.2f}")
print(f"completeness {po.completeness(truth, guess):.2f}")
for u, v, kind in po.pair_classes(truth, guess):
    if kind == "discordant":
        print(f"{u} is liked better than {v}, and the prediction has it the other way round")

# %%
# The two numbers follow from the counts in the legend.

decided = table.concordant + table.discordant
assert po.completeness(truth, guess) == decided / (decided + table.target_only)
