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
for (const name of ["bands", "lines", "hot", "nodes", "top"]) {
  layers[name] = make("g", name === "nodes" ? {} : { "aria-hidden": "true" }, null, diagram);
}

const KINDS = ["concordant", "target_only", "predicted_only", "discordant"];
const MANY = 400;

// What is shown: the order at a stop, in its own places or in those of the target.
function viewOf(scene, overlaid) {
  const places = overlaid ? placesInTarget(scene) : scene;
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

// Two lines of a name where levels are far enough apart, else one.
function linesOf(scene, box) {
  const name = nameOf(scene, box), room = roomOf(scene, box), { kind, pitch } = shapeOf(scene);
  return kind !== "plain" || pitch >= TWO_LINES ? inLines(name, room) : [shortened(name, room)];
}

const boxWidth = (scene, box) =>
  Math.max(34, Math.max(...linesOf(scene, box).map((line) => widthOf(line.trim()))) + PADDING);

const nodes = new Map();
let shown = null;

function draw(view) {
  shown = view;
  diagram.classList.toggle("overlaid-view", view.overlaid);
  layers.nodes.setAttribute("class", view.overlaid ? "overlaid" : "");
  layers.lines.setAttribute("class", view.overlaid ? "overlaid" : "");
  drawBands(view.places);
  drawLines(view);
  drawNodes(view);
}

// How high a box stands says nothing; but what is folded is shown to be one level.
function drawBands(scene) {
  const { x, w } = boundsOf(scene), { bands = [] } = shapeOf(scene);
  layers.bands.replaceChildren();
  bands.forEach((high, level) => {
    make("rect", { class: "band", x: x + 34, width: w - 44, y: placeAt(scene, 0, level)[1] - high / 2 - 6,
      height: high + 12, rx: 12 }, null, layers.bands);
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
  for (const line of data.evidence ? view.lines : []) drawEvidence(line);
}

// Whoever points at a line sees what speaks for the pair, as browsers show titles.
function drawEvidence({ u, v, path }) {
  const told = data.evidence[`${u} ${v}`];
  if (!told) return;
  const [degree, support, against] = told;
  const sense = make("path", { class: "sense", d: path }, null, layers.lines);
  make("title", {}, `${data.items[u]} > ${data.items[v]}: ${support} for, ${against} against, degree ${degree}`, sense);
}

function drawNodes(view) {
  const { places } = view;
  const kept = new Set();
  places.boxes.forEach((box, number) => {
    const key = box.join(" ");
    kept.add(key);
    if (!nodes.has(key)) nodes.set(key, newNode(box));
    const node = nodes.get(key);
    node.box = number;
    node.kind = places.kinds[number];
    node.width = boxWidth(places, number);
    node.lines = linesOf(places, number);
    node.text = node.lines.join("");
    node.height = BOX_HEIGHT + LINE_HEIGHT * (node.lines.length - 1);
    [node.x, node.y] = placeOf(places, number);
    node.g.setAttribute("transform", `translate(${short(node.x)} ${short(node.y)})`);
    node.g.setAttribute("aria-label", spoken(view, number));
  });
  for (const [key, node] of nodes) {
    if (kept.has(key)) continue;
    node.g.remove();
    nodes.delete(key);
  }
  inReadingOrder(places);
}

const levelOf = (node) => shown.places.y[node.box];
const inTurn = (a, b) => levelOf(b) - levelOf(a) || a.x - b.x || a.box - b.box;

// A reader of the page comes to the boxes level by level, the best first.
function inReadingOrder(scene) {
  const sorted = [...nodes.values()].sort(inTurn);
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
