// Which items are selected, which of them is kept or pointed at, and how the diagram shows it.

let pinned = null, hovered = null, selected = [], isPairing = false;

// One item stands out: what is above it, what is below it, and the lines that lead there.
function highlight() {
  const item = hovered === null ? pinned : hovered;
  const { relation, places } = shown, asked = askedPair(), why = asked && explainPair(asked);
  const between = new Set(why ? why.chains.flatMap(({ way }) => way).map((each) => shown.boxOf[each]) : []);
  const above = item === null ? null : relation.above(item);
  const below = item === null ? null : relation.below(item);
  for (const node of nodes.values()) {
    const own = places.boxes[node.box];
    const states = [];
    if (why) {
      states.push(between.has(node.box) ? "between" : "other");
    } else if (item !== null) {
      if (own.includes(item)) states.push("chosen");
      else if (has(above, own[0])) states.push("up");
      else if (has(below, own[0])) states.push("down");
      else states.push("other");
    }
    if (own.some((each) => found.includes(each))) states.push("found");
    if (isSelected(node)) states.push("selected");
    node.state = states.join(" ");
    node.g.setAttribute("class", `node ${node.kind} ${node.state}`);
    node.g.setAttribute("aria-pressed", String(isSelected(node)));
  }
  diagram.classList.toggle("lit", item !== null);
  if (why) {
    drawChains(why);
    showChains(why);
  } else {
    drawHot(item, above, below);
    showDetails(shown, item);
  }
  schedule();
}

function drawHot(item, above, below) {
  layers.hot.replaceChildren();
  if (item === null) return;
  const own = shown.boxOf[item];
  const within = (set, each) => shown.boxOf[each] === own || has(set, each);
  const paths = {};
  for (const line of shown.lines) {
    let kind = null;
    if (shown.overlaid) kind = shown.boxOf[line.u] === own || shown.boxOf[line.v] === own ? line.kind : null;
    else if (within(above, line.u) && within(above, line.v)) kind = "up";
    else if (within(below, line.u) && within(below, line.v)) kind = "down";
    if (kind === null) continue;
    paths[kind] = (paths[kind] || "") + line.path;
    if (line.head) paths[`${kind} head`] = (paths[`${kind} head`] || "") + line.head;
  }
  for (const [kind, d] of Object.entries(paths)) {
    make("path", { class: kind.endsWith("head") ? kind : `line ${kind}`, d }, null, layers.hot);
  }
}

// Of several selected items one is shown in full.
function select(items, item = items.length ? items[0] : null) {
  selected = items;
  isPairing = false;
  pinned = item;
  hovered = null;
  highlight();
  byId("voice").textContent = item === null ? "" : nodeOf(item).g.getAttribute("aria-label");
  if (item !== null) setStop(nodeOf(item));
  tell();
}

const choose = (item) => select(item === null ? [] : [item]);
const isSelected = (node) => node.items.some((item) => selected.includes(item));

// A click selects a box or lets it go; with Shift or Ctrl, or where a second one is asked for, the others
// stay.
function toggle(node, { shiftKey, ctrlKey, metaKey }) {
  const others = selected.filter((item) => !node.items.includes(item));
  const kept = shiftKey || ctrlKey || metaKey || isPairing ? others : [];
  if (isSelected(node) && kept.length === others.length) select(kept);
  else select([...kept, ...node.items], node.items[0]);
}

const itemOf = (node) => pinned !== null && node.items.includes(pinned) ? pinned : node.items[0];

// One box is reached by Tab, the others from it by arrows.
function setStop(node) {
  for (const other of nodes.values()) other.g.setAttribute("tabindex", other === node ? "0" : "-1");
}
