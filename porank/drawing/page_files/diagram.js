// The diagram as SVG: one path for all lines, a group for each box, dots where names have no room.

const SVG = "http://www.w3.org/2000/svg";
const diagram = document.getElementById("diagram");

function make(name, attributes = {}, text = null, into = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  if (into) into.append(made);
  return made;
}

const layers = {};
for (const name of ["levels", "lines", "hot", "nodes"]) {
  layers[name] = make("g", name === "nodes" ? {} : { "aria-hidden": "true" }, null, diagram);
}

const KINDS = ["concordant", "target_only", "predicted_only", "discordant"];
const MANY = 400;

// What is shown: the order at a stop, in its own places or in those of the target.
function viewOf(scene, overlaid) {
  const places = overlaid ? data.target : scene;
  const view = { scene, places, overlaid, relation: relationOf(scene), boxOf: relationOf(places).boxOf };
  view.lines = overlaid ? overlaidLines(scene, places) : ownLines(scene);
  return view;
}

const drawnLines = new Map();

function ownLines(scene) {
  if (!drawnLines.has(scene)) {
    const lines = [];
    for (let k = 0; k < scene.lines.length / 2; k++) {
      const [u, v] = [scene.lines[2 * k], scene.lines[2 * k + 1]];
      lines.push({ u: scene.boxes[u][0], v: scene.boxes[v][0], kind: "plain",
        path: softPath(pointsOf(scene, k)) });
    }
    drawnLines.set(scene, lines);
  }
  return drawnLines.get(scene);
}

const comparisons = new Map();

function overlaidLines(scene, target) {
  if (!comparisons.has(scene)) {
    const lines = comparedLines(scene, target), size = lines.length > MANY ? 9 : 13;
    for (const line of lines) {
      const run = line.cover >= 0 ? pointsOf(target, line.cover) : bowedRun(target, line);
      line.path = run.path || softPath(run);
      if (line.kind === "predicted_only" || line.kind === "discordant") {
        const { point, way } = run.middle || middleOf(run);
        const turn = line.kind === "discordant" ? -1 : 1;
        line.head = arrowHead(point, [turn * way[0], turn * way[1]], size);
      }
    }
    comparisons.set(scene, lines);
  }
  return comparisons.get(scene);
}

function bowedRun(target, line) {
  const from = placeOf(target, line.u), to = placeOf(target, line.v), others = [];
  target.boxes.forEach((_, box) => {
    if (box === line.u || box === line.v) return;
    const [x, y] = placeOf(target, box);
    others.push({ x, y, half: boxWidth(target, box) / 2 });
  });
  const bend = bow(from, to, others);
  const middle = { point: onBow(from, bend, to, 0.5), way: direction(from, to) };
  return { path: `M${at(from)}Q${at(bend)} ${at(to)}`, middle };
}

const boxWidth = (scene, box) =>
  Math.max(34, Math.min(widthOf(nameOf(scene, box)), roomOf(scene, box)) + PADDING);

// Colours of the ranks, the same as in porank's pictures.
function channels(color) {
  return [1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16));
}

function rankColor(share) {
  const way = share * (data.colors.length - 1), first = Math.min(Math.floor(way), data.colors.length - 2);
  const [here, there] = [channels(data.colors[first]), channels(data.colors[first + 1])];
  const mixed = here.map((value, k) => Math.round(value + (way - first) * (there[k] - value)));
  const [red, green, blue] = mixed.map((value) => (value / 255) ** 2.2);
  const isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.22;
  return { fill: `rgb(${mixed.join(", ")})`, ink: isLight ? "#1a1a1a" : "#ffffff" };
}

const nodes = new Map();
let shown = null;

function draw(view) {
  shown = view;
  diagram.classList.toggle("overlaid-view", view.overlaid);
  layers.nodes.setAttribute("class", view.overlaid ? "overlaid" : "");
  layers.lines.setAttribute("class", view.overlaid ? "overlaid" : "");
  drawLevels(view.places);
  drawLines(view);
  drawNodes(view);
}

function drawLevels(scene) {
  const heights = [...new Set(scene.y)].sort((a, b) => b - a);
  const { x, w } = boundsOf(scene);
  layers.levels.replaceChildren();
  heights.forEach((height, k) => {
    const y = placeY(height);
    make("line", { class: "level", x1: x + 34, x2: x + w - 10, y1: y, y2: y }, null, layers.levels);
    make("text", { class: "rank", "data-x": x + 10, y: y + 4 }, String(k + 1), layers.levels);
  });
}

function drawLines(view) {
  const isMany = view.lines.length > MANY;
  layers.lines.replaceChildren();
  for (const kind of ["plain", ...KINDS]) {
    const lines = view.lines.filter((line) => line.kind === kind);
    if (!lines.length) continue;
    const path = { class: `line base ${kind}`, d: lines.map((line) => line.path).join("") };
    if (isMany) path["stroke-opacity"] = "0.45";
    make("path", path, null, layers.lines);
    const heads = lines.map((line) => line.head || "").join("");
    if (heads) make("path", { class: `head base ${kind}`, d: heads }, null, layers.lines);
  }
}

function drawNodes(view) {
  const { places } = view, levels = Math.max(1, farthest(places.y));
  const kept = new Set();
  places.boxes.forEach((box, number) => {
    const key = box.join(" ");
    kept.add(key);
    if (!nodes.has(key)) nodes.set(key, newNode(box));
    const node = nodes.get(key);
    node.box = number;
    node.kind = places.kinds[number];
    node.width = boxWidth(places, number);
    node.text = shortened(nameOf(places, number), roomOf(places, number));
    [node.x, node.y] = placeOf(places, number);
    node.g.setAttribute("transform", `translate(${short(node.x)} ${short(node.y)})`);
    node.g.setAttribute("aria-label", spoken(view, number));
    const color = rankColor((levels - places.y[number]) / levels);
    if (view.overlaid) {
      node.rect.removeAttribute("fill");
      node.name.removeAttribute("fill");
    } else {
      node.rect.setAttribute("fill", color.fill);
      node.name.setAttribute("fill", color.ink);
    }
    node.ink = color.ink;
  });
  for (const [key, node] of nodes) {
    if (kept.has(key)) continue;
    node.g.remove();
    nodes.delete(key);
  }
  inReadingOrder(places);
}

// A reader of the page comes to the boxes level by level, the best first.
function inReadingOrder(scene) {
  const sorted = [...nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x || a.box - b.box);
  const active = document.activeElement;
  layers.nodes.append(...sorted.map((node) => node.g));
  if (active && active.closest && active.closest(".node") && active.isConnected) {
    active.focus({ preventScroll: true });
  }
  if (scene.boxes.length && !sorted.some((node) => node.g.tabIndex === 0)) {
    sorted[0].g.setAttribute("tabindex", "0");
  }
}

function newNode(box) {
  const g = make("g", { role: "button", tabindex: "-1", class: "node" }, null, layers.nodes);
  const rect = make("rect", { class: "box" }, null, g);
  const name = make("text", { class: "name" }, null, g);
  const mark = make("text", { class: "mark" }, null, g);
  const node = { g, rect, name, mark, items: box, state: "" };
  g.node = node;
  return node;
}

function spoken(view, box) {
  const item = view.places.boxes[box][0];
  const [best, worst] = possibleRanks(view.relation, item);
  const ranks = best === worst ? `rank ${best}` : `ranks ${best} to ${worst}`;
  const above = count(view.relation.above(item)), below = count(view.relation.below(item));
  return `${nameOf(view.places, box)}: ${ranks} of ${nItems}, ${above} above, ${below} below`;
}

const nodeOf = (item) => shown && nodes.get((shown.places.boxes[shown.boxOf[item]] || []).join(" "));

// Boxes with names where they can be read; else dots, with as many names as have room.
function dress(scale, frame) {
  const asDots = NAME_SIZE * scale < 8, beside = isNarrow(shown.places), placed = [];
  dressLevels(scale, frame, asDots);
  for (const node of byImportance()) {
    const { rect, mark } = node;
    if (!asDots) {
      place(rect, node.width, BOX_HEIGHT, 7);
      setName(node, node.text, 5, NAME_SIZE, node.ink);
      node.name.setAttribute("x", 0);
      mark.setAttribute("transform", `translate(${short(node.width / 2 + 8)} 4)`);
    } else {
      const radius = (node.state ? 6 : nItems > 300 ? 3.5 : 5) / scale;
      place(rect, 2 * radius, 2 * radius, radius);
      const text = hasRoom(node, scale, frame, placed, beside) ? node.text : "";
      setName(node, text, beside ? 4 / scale : -radius - 4 / scale, DOT_NAME_SIZE / scale, "");
      if (beside) node.name.setAttribute("x", short(-radius - 4 / scale));
      mark.setAttribute("transform", `translate(${short(radius + 6 / scale)} 0) scale(${1 / scale})`);
    }
    mark.textContent = node.state.includes("up") ? "▲" : node.state.includes("down") ? "▼" : "";
  }
  layers.nodes.classList.toggle("dots", asDots);
  layers.nodes.classList.toggle("beside", asDots && beside);
  return { asDots, named: placed.length };
}

// Where levels have few items, names of dots stand beside them, and not in the way of the lines.
function isNarrow(scene) {
  const sizes = new Map();
  for (const y of scene.y) sizes.set(y, (sizes.get(y) || 0) + 1);
  return Math.max(0, ...sizes.values()) <= 2;
}

// The numbers of the levels keep to the left, and to a size that can be read.
function dressLevels(scale, frame, asDots) {
  const size = 12 / scale;
  const each = Math.max(1, Math.ceil(16 / (unit.up * scale)));
  layers.levels.querySelectorAll(".rank").forEach((text, k) => {
    text.style.fontSize = `${size}px`;
    const edge = frame.x + 10 / scale;
    text.setAttribute("x", asDots ? edge : Math.max(Number(text.dataset.x), edge));
    text.setAttribute("visibility", k % each ? "hidden" : "visible");
  });
}

function place(rect, width, height, round) {
  const box = { x: -width / 2, y: -height / 2, width, height, rx: round };
  for (const [key, value] of Object.entries(box)) rect.setAttribute(key, Math.round(value * 100) / 100);
}

function setName(node, text, y, size, ink) {
  if (node.name.textContent !== text) node.name.textContent = text;
  node.name.setAttribute("y", y);
  if (size === NAME_SIZE) node.name.removeAttribute("style");
  else node.name.style.fontSize = `${size}px`;
  if (ink && !shown.overlaid) node.name.setAttribute("fill", ink);
  else node.name.removeAttribute("fill");
  node.name.classList.toggle("outside", !ink);
}

function byImportance() {
  const weight = (node) => (node.state.includes("chosen") ? 4 : 0) +
    (node.state.includes("found") ? 2 : 0) + (/up|down/.test(node.state) ? 1 : 0);
  return [...nodes.values()].sort((a, b) => weight(b) - weight(a) || a.y - b.y || a.box - b.box);
}

function hasRoom(node, scale, frame, placed, beside) {
  const half = (widthOf(node.text) * DOT_NAME_SIZE / NAME_SIZE) / 2 + (nItems > 300 ? 8 : 3);
  const x = (node.x - frame.x) * scale - (beside ? half + 8 : 0);
  const y = (node.y - frame.y) * scale - (beside ? 0 : 14), high = nItems > 300 ? 26 : 15;
  if (x < -half || y < -20 || x > frame.w * scale + half || y > frame.h * scale + 20) return false;
  for (const other of placed) {
    if (Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < high) return false;
  }
  placed.push({ x, y, half });
  return true;
}
