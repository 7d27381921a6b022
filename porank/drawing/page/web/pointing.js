// The mouse, a finger or the focus on a box.

const eventNode = (event) => {
  const group = event.target.closest && event.target.closest(".node");
  return group ? group.node : null;
};

// Dots may lie over each other: the nearest to the mouse, if it is near.
const NEAR = 12;

function pointedAt(event) {
  if (!isDotted) return eventNode(event);
  const stage = diagram.getBoundingClientRect(), scale = scaleNow();
  let nearest = null, least = NEAR / scale;
  for (const node of nodes.values()) {
    const away = Math.hypot(node.x - frame.x - (event.clientX - stage.left) / scale,
      node.y - frame.y - (event.clientY - stage.top) / scale);
    if (away <= least) [nearest, least] = [node, away];
  }
  return nearest;
}

diagram.addEventListener("pointermove", (event) => {
  const node = pointedAt(event), item = node && !diagram.classList.contains("dragging") ? itemOf(node) : null;
  if (item === hovered) return;
  hovered = item;
  highlight();
});
diagram.addEventListener("pointerleave", () => {
  if (hovered === null) return;
  hovered = null;
  highlight();
});
diagram.addEventListener("click", (event) => {
  if (dragged > 4) return;
  const node = pointedAt(event);
  if (node) toggle(node, event);
  else if (pinned !== null) choose(null);
});
// On the stage: browsers let the keys stop at a part of a drawing that listens for the focus.
byId("stage").addEventListener("focusin", (event) => {
  const node = eventNode(event);
  if (!node || !node.g.matches(":focus-visible")) return;
  setStop(node);
  hovered = itemOf(node);
  highlight();
  bringIntoSight(node);
});
// To write the panel anew would take the button away from under a click.
byId("stage").addEventListener("focusout", () => {
  if (hovered === null) return;
  hovered = null;
  highlight();
});
