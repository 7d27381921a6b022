"""
What do other programs see of an order?
=======================================

An order is not confined to porank. Markdown draws it from a few lines of Mermaid, Graphviz from DOT,
Gephi, yEd and Cytoscape from GraphML; and libraries of frames take tables as streams of Arrow.
"""

import io

import matplotlib.pyplot as plt
import networkx as nx

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

# %%
# In GraphML an item may have attributes, such as its level, by which programs that draw graphs place
# and colour it.

nx.set_node_attributes(order, po.set_ranks(order), "level")
file = io.BytesIO()
po.write_graphml(order, file)
seen = po.read_graphml(io.BytesIO(file.getvalue()))
for item, (best, worst) in po.rank_intervals(seen).items():
    rank = f"{best} to {worst}" if best < worst else str(best)
    print(f"{item}: level {seen.nodes[item]['level']}, rank {rank}")

# %%
# What is read back is the same order, with the same levels.

levels = {item: data["level"] for item, data in seen.nodes(data=True)}
assert levels == po.set_ranks(order)
assert po.pair_table(order, seen).discordant == 0
