// What is chosen, and what happens when it changes.

let stopNumber = data.start;
let pinned = null, hovered = null, found = [], met = -1;

const slider = byId("threshold"), overlay = byId("overlay"), search = byId("search");
const root = document.documentElement;

function refresh() {
  const stop = data.stops[stopNumber], scene = data.scenes[stop.scene];
  const before = shown && shown.places;
  draw(viewOf(scene, hasTarget && overlay.checked));
  if (isFitted || !before) fit();
  showSummary(shown, stop);
  showTarget(stop);
  if (hasSlider) {
    slider.value = stopNumber;
    showThreshold(stop);
    markStop(stopNumber);
  }
  highlight();
}

function goTo(number) {
  stopNumber = Math.max(0, Math.min(data.stops.length - 1, number));
  refresh();
}

// One item stands out: what is above it, what is below it, and the lines that lead there.
function highlight() {
  const item = hovered === null ? pinned : hovered;
  const { relation, places } = shown;
  const above = item === null ? null : relation.above(item);
  const below = item === null ? null : relation.below(item);
  for (const node of nodes.values()) {
    const own = places.boxes[node.box];
    const states = [];
    if (item !== null) {
      if (own.includes(item)) states.push("chosen");
      else if (has(above, own[0])) states.push("up");
      else if (has(below, own[0])) states.push("down");
      else states.push("other");
    }
    if (own.some((each) => found.includes(each))) states.push("found");
    node.state = states.join(" ");
    node.g.setAttribute("class", `node ${node.kind} ${node.state}`);
    node.g.setAttribute("aria-pressed", String(pinned !== null && own.includes(pinned)));
  }
  diagram.classList.toggle("lit", item !== null);
  drawHot(item, above, below);
  showDetails(shown, item);
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

function choose(item) {
  pinned = item;
  hovered = null;
  highlight();
  if (item !== null) {
    const node = nodeOf(item);
    setStop(node);
    byId("voice").textContent = node.g.getAttribute("aria-label");
  }
}

// One box is reached by Tab, the others from it by arrows.
function setStop(node) {
  for (const other of nodes.values()) other.g.setAttribute("tabindex", other === node ? "0" : "-1");
}

const eventNode = (event) => {
  const group = event.target.closest && event.target.closest(".node");
  return group ? group.node : null;
};
const itemOf = (node) => pinned !== null && node.items.includes(pinned) ? pinned : node.items[0];

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
  if (node) toggle(node);
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
byId("stage").addEventListener("focusout", () => {
  hovered = null;
  highlight();
});

function toggle(node) {
  choose(node.items.includes(pinned) ? null : node.items[0]);
}

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
    toggle(node);
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

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const plainNames = data.items.map(plain);
const OFFERED = 8;

function find() {
  const wanted = plain(search.value.trim());
  const quality = (name) => name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  found = !wanted ? [] : plainNames.map((name, item) => [name, item])
    .filter(([name]) => name.includes(wanted))
    .sort((a, b) => quality(a[0]) - quality(b[0]) || a[1] - b[1])
    .map(([, item]) => item);
  met = -1;
  byId("count").textContent = !wanted ? "" : found.length ? `${found.length} found` : "none found";
  byId("hits").hidden = !wanted;
  byId("found").replaceChildren(...found.slice(0, OFFERED).map((item) => {
    const row = element("li");
    row.append(nameButton(item));
    return row;
  }));
  highlight();
}

search.addEventListener("input", find);
search.closest("search").addEventListener("focusout", (event) => {
  if (!event.currentTarget.contains(event.relatedTarget)) byId("hits").hidden = true;
});
search.addEventListener("focus", () => { byId("hits").hidden = !search.value; });
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !found.length) return;
  event.preventDefault();
  met = (met + (event.shiftKey ? found.length - 1 : 1)) % found.length;
  choose(found[met]);
  centre(nodeOf(found[met]));
});

const darkness = matchMedia("(prefers-color-scheme: dark)");

function setDark(isDark) {
  root.classList.toggle("dark", isDark);
  byId("theme").setAttribute("aria-pressed", String(isDark));
}

let isThemeChosen = false;
setDark(darkness.matches);
darkness.addEventListener("change", () => { if (!isThemeChosen) setDark(darkness.matches); });
byId("theme").addEventListener("click", () => {
  isThemeChosen = true;
  setDark(!root.classList.contains("dark"));
});

// Paper is white, and shows all, in this many pixels.
const PAPER_WIDE = 680, PAPER_HIGH = 520;
let printed = null;
window.addEventListener("beforeprint", () => {
  printed = { frame, isFitted, isDark: root.classList.contains("dark") };
  setDark(false);
  look(framed(PAPER_WIDE, PAPER_HIGH, TOP_EDGE));
  dress(PAPER_WIDE / frame.w, frame);
});
window.addEventListener("afterprint", () => {
  if (!printed) return;
  setDark(printed.isDark);
  isFitted = printed.isFitted;
  look(printed.frame);
  printed = null;
});

byId("save").addEventListener("click", saveDiagram);
byId("print").addEventListener("click", () => window.print());
byId("closer").addEventListener("click", () => zoom(1.3));
byId("farther").addEventListener("click", () => zoom(1 / 1.3));
byId("fit").addEventListener("click", fit);
overlay.addEventListener("change", () => {
  isFitted = true;
  refresh();
});
slider.addEventListener("input", () => goTo(Number(slider.value)));
new ResizeObserver(() => {
  size = null;
  if (printed) return;
  if (isFitted) fit();
  else look({ ...frame, h: frame.w * stageSize().height / stageSize().width });
}).observe(diagram);

const hasSlider = data.thresholds !== undefined;
byId("threshold-part").hidden = !hasSlider;
slider.hidden = data.stops.length < 2;
byId("target-part").hidden = !hasTarget;
slider.max = data.stops.length - 1;
if (hasSlider) drawCurve();
refresh();
