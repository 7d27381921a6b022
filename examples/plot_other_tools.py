"""
What do other programs see of an order?
=======================================

An order is not confined to porank. Markdown draws it from a few lines of Mermaid, Graphviz from DOT,
Gephi, yEd and Cytoscape from GraphML; and libraries of frames take tables as streams of Arrow.
"""

import io

import matplotlib.pyplot as plt

import porank as po

# %%
# A Hasse diagram here, and the same as text for Markdown: tied items share a box.

order = po.parse("espresso > cocoa ~ chai > water; tea > cocoa; tea > chai; espresso > mate")
fig, ax = plt.subplots(figsize=(6, 4.4), layout="constrained")
po.draw_hasse(order, ax=ax)
ax.set_xlabel("a line leads down to the drink that is liked less")
ax.set_title("Six drinks")
print(po.to_mermaid(order))
print(po.to_dot(order))
text = io.StringIO()
po.write_mermaid(order, text)

# %%
# In GraphML each item has its level and its best and worst possible rank, by which programs that draw
# graphs place and colour it.

file = io.BytesIO()
po.write_graphml(order, file, ranks=True)
seen = po.read_graphml(io.BytesIO(file.getvalue()))
for item, data in seen.nodes(data=True):
    best, worst = data["best_rank"], data["worst_rank"]
    print(f"{item}: level {data['level']}, rank {best}" + (f" to {worst}" if best < worst else ""))

# %%
# What is read back is the same order, with the same levels.

levels = {item: data["level"] for item, data in seen.nodes(data=True)}
assert text.getvalue() == po.to_mermaid(order)
assert levels == po.set_ranks(order)
assert po.pair_table(order, seen).discordant == 0
