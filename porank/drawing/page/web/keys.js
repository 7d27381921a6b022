// The keyboard: from box to box on the diagram, and the keys of the whole page.

// From a box along a line to the nearest one above or below it, or to its neighbour on the level.
function neighbour(node, key) {
  const { places } = shown, all = [...nodes.values()];
  const nearest = (others) => others.sort((a, b) => Math.hypot(a.x - node.x, a.y - node.y) -
    Math.hypot(b.x - node.x, b.y - node.y) || a.box - b.box)[0];
  const lined = (next) => all.filter((other) => next[node.box].includes(other.box));
  const level = all.filter((other) => levelOf(other) === levelOf(node)).sort((a, b) => a.x - b.x);
  const { next, previous } = relationOf(places), own = level.indexOf(node);
  switch (key) {
    case "ArrowUp": return nearest(lined(previous));
    case "ArrowDown": return nearest(lined(next));
    case "ArrowLeft": return level[own - 1];
    case "ArrowRight": return level[own + 1];
    case "Home": return all.sort(inTurn)[0];
    case "End": return all.sort(inTurn)[all.length - 1];
    default: return undefined;
  }
}

diagram.addEventListener("keydown", (event) => {
  const node = eventNode(event);
  if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    toggle(node, event);
    return;
  }
  if (!/^(Arrow|Home|End)/.test(event.key)) return;
  event.preventDefault();
  const other = neighbour(node, event.key);
  if (other) other.g.focus({ preventScroll: true });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = "";
    find();
    if (document.activeElement === search) search.blur();
    hovered = null;
    choose(null);
    return;
  }
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
    "/": () => search.focus() };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
