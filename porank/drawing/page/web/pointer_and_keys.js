// Pointer and keys: both point at an item, select it, and move the window, with the same functions.

const diagram = newDiagram(byId("diagram"));
// With Shift or Ctrl, or after "Select a second item", an item is added to the selection.
function pick(item, { shiftKey, ctrlKey, metaKey } = {}, isFar = false) {
  if (isFar && !diagram.nodeOf(item)) focusOn(item);
  const { order } = diagram.view, items = order.boxes[order.boxOf[item]];
  const others = state.picked.filter((each) => !items.includes(each));
  const joins = shiftKey || ctrlKey || metaKey || isSecond();
  const isPicked = others.length < state.picked.length, kept = joins ? others : [];
  pointed = null;
  byId("second").setAttribute("aria-pressed", "false");
  if (isPicked && !isFar && kept.length === others.length) change({ picked: kept });
  else change({ picked: [...joins ? kept : [], item, ...items.filter((each) => each !== item)] });
  if (isFar) diagram.reveal(item);
  if (state.picked.includes(item)) say(spoken(diagram.view, items));
}

function point(item, isByKey = false) {
  if (item === pointed) return;
  changePointed(item);
  if (!isByKey || item === null) return;
  const g = diagram.write(diagram.nodeOf(item));
  diagram.reveal(item);
  diagram.svg.setAttribute("aria-activedescendant", g.id);
  say(g.getAttribute("aria-label"));
}

function focusOn(item) {
  diagram.isFitted = true;
  change({ focus: item, picked: item === null ? state.picked : [item] });
}

// Moves from a box along a line to the nearest one above or below, or to its neighbour on the level.
function neighbour(node, key) {
  const { view: { scene }, inTurn } = diagram;
  const distance = (other) => Math.hypot(other.x - node.x, other.y - node.y);
  const nearest = (boxes) =>
    inTurn.filter((other) => boxes.includes(other.box)).sort((a, b) => distance(a) - distance(b))[0];
  const level = inTurn.filter((other) => scene.y[other.box] === scene.y[node.box]), own = level.indexOf(node);
  return { ArrowUp: () => nearest(scene.up[node.box]), ArrowDown: () => nearest(scene.down[node.box]),
    ArrowLeft: () => level[own - 1], ArrowRight: () => level[own + 1], Home: () => inTurn[0],
    End: () => inTurn.at(-1) }[key]();
}

function drawingKey(event) {
  const { key } = event, item = current(), isChoice = item !== null && (key === "Enter" || key === " ");
  if (!isChoice && !/^(Arrow|Home|End)/.test(key)) return;
  event.preventDefault();
  if (isChoice) return pick(item, event);
  const node = item !== null && diagram.nodeOf(item), next = node ? neighbour(node, key) : diagram.inTurn[0];
  if (next) point(next.items[0], true);
}

const isSecond = () => byId("second").getAttribute("aria-pressed") === "true";
const toggleSecond = () => byId("second").setAttribute("aria-pressed", String(!isSecond()));

// The keys of the page, which do the same as its buttons.
const KEYS = {
  "+": () => diagram.zoom(1.25), "=": () => diagram.zoom(1.25), "-": () => diagram.zoom(0.8), 0: () => diagram.fit(),
  "/": () => byId("search").focus(),
  f: () => { if (current() !== null) focusOn(current()); },
  a: () => focusOn(null), s: toggleSecond, Escape: letGo,
};

function letGo() {
  pointed = null;
  byId("search").value = "";
  byId("search").blur();
  find();
  change({ picked: [] });
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("select, input[type=search]");
  if (event.altKey || event.ctrlKey || event.metaKey || (isTyping && event.key !== "Escape")) return;
  if (!(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

const itemOf = ({ items }) => items.find((item) => state.picked.includes(item)) ?? items[0];

const touches = new Map(), stage = diagram.svg.parentElement;
// In a frame, the wheel and one finger scroll the page around it: the diagram needs Ctrl, or two fingers.
const isFramed = window.self !== window.top;
stage.classList.toggle("framed", isFramed);
let moved = 0;
// The middle of one finger or of two, and how far they are apart.
function fingers() {
  const [one, other = one] = touches.values();
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, wide: Math.hypot(one.x - other.x, one.y - other.y) || 1 };
}
// The place stays where it is on the screen.
function zoomAt(factor, x, y) {
  const box = stage.getBoundingClientRect();
  diagram.zoom(factor, (x - box.left) / box.width, (y - box.top) / box.height);
}
const isDrawing = ({ target }) => target === stage || diagram.svg.contains(target);
stage.addEventListener("pointerdown", (event) => {
  if (event.button > 0 || !isDrawing(event)) return;
  touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  moved = 0;
});
stage.addEventListener("pointermove", (event) => {
  const last = touches.get(event.pointerId), { clientX: x, clientY: y } = event;
  if (!last) {
    const node = diagram.nodeAt(x, y);
    return point(node ? itemOf(node) : null);
  }
  const before = fingers();
  touches.set(event.pointerId, { x, y });
  const now = fingers();
  moved += Math.abs(x - last.x) + Math.abs(y - last.y);
  if (moved <= 4 || isFramed && event.pointerType === "touch" && touches.size < 2) return;
  if (!stage.hasPointerCapture(event.pointerId)) stage.setPointerCapture(event.pointerId);
  diagram.pan(now.x - before.x, now.y - before.y);
  zoomAt(now.wide / before.wide, now.x, now.y);
});
const release = (event) => touches.delete(event.pointerId);
Object.assign(stage, { onpointerup: release, onpointercancel: release });
stage.addEventListener("pointerleave", () => point(null));
stage.addEventListener("click", (event) => {
  if (moved > 4 || !isDrawing(event)) return;
  const node = diagram.nodeAt(event.clientX, event.clientY);
  if (node) pick(itemOf(node), event);
  else if (state.picked.length) change({ picked: [] });
});
stage.addEventListener("touchmove", (event) => {
  if (event.touches.length > 1 && event.cancelable) event.preventDefault();
}, { passive: false });
stage.addEventListener("wheel", (event) => {
  if (isFramed && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX, event.clientY);
}, { passive: false });
diagram.svg.addEventListener("keydown", drawingKey);
document.addEventListener("click", (event) => {
  const { item, key } = event.target.closest("[data-item], [data-key]")?.dataset || {};
  if (item) pick(Number(item), event, true);
  if (key) KEYS[key]();
});

// Search by a part of the name, ignoring accents and capitals: all items found are listed.
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const plainNames = data.items.map(plain);

function find() {
  const wanted = plain(byId("search").value.trim());
  const quality = (name) => name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  const some = !wanted ? [] : [...plainNames.keys()].filter((item) => plainNames[item].includes(wanted))
    .sort((a, b) => quality(plainNames[a]) - quality(plainNames[b]) || a - b);
  byId("count").textContent = some.length ? `${some.length.toLocaleString("en")} found` : "no items found";
  byId("hits").hidden = !wanted;
  byId("found").replaceChildren(nameList(some, Infinity));
  changePointed(pointed, some);
}

byId("search").addEventListener("input", find);
byId("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !found.length) return;
  event.preventDefault();
  pick(found[0], {}, true);
});
