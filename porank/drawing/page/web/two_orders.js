// The two orders as Boolean matrices of their closures, and the rows in which the prediction is shown.
const data = JSON.parse(document.getElementById("data").textContent);
const { items } = data;
const count = items.length;
const all = [...items.keys()];
const matrixOf = (pairs) => {
  const matrix = all.map(() => all.map(() => false));
  for (const [u, v] of pairs) matrix[u][v] = true;
  return matrix;
};
const target = matrixOf(data.target);
const start = () => ({
  above: matrixOf(data.predicted),
  rows: data.rows.map((row) => [...row]),
  open: [...data.open],
});
let now = start();

// An item that is moved is compared with all others by the rows; what follows from that is added.
function close(above) {
  for (const k of all) for (const i of all)
    if (above[i][k]) for (const j of all) if (above[k][j]) above[i][j] = true;
}
function move(item, rows, open) {
  const { above } = now;
  const row = new Map(rows.flatMap((some, place) => some.map((each) => [each, place])));
  for (const other of all) {
    above[item][other] = row.has(item) && row.get(other) > row.get(item);
    above[other][item] = row.has(item) && row.get(other) < row.get(item);
  }
  close(above);
  now = { above, rows: rows.filter((some) => some.length), open };
  draw();
}
// A place counts in halves: 2 r + 1 is row r, 2 r is before it, and -1 is the shelf.
function put(item, place) {
  const rows = now.rows.map((row) => row.filter((each) => each !== item));
  const open = now.open.filter((each) => each !== item);
  if (place < 0) open.push(item);
  else if (place % 2) rows[(place - 1) / 2].push(item);
  else rows.splice(place / 2, 0, [item]);
  const told = place < 0 ? "left open" : "moved";
  move(item, rows, open);
  document.getElementById("voice").textContent = `${items[item]} ${told}`;
}

const classOf = (u, v) => {
  const truth = target[u][v] - target[v][u];
  const guess = now.above[u][v] - now.above[v][u];
  if (truth && guess) return truth === guess ? "concordant" : "discordant";
  return truth ? "target_only" : guess ? "predicted_only" : "neither";
};
function counted() {
  const found = { concordant: 0, discordant: 0, target_only: 0, predicted_only: 0, neither: 0 };
  for (const u of all) for (const v of all) if (u < v) found[classOf(u, v)] += 1;
  return found;
}

const NAMES = {
  concordant: ["C", "both agree"],
  discordant: ["D", "ordered in opposite directions"],
  target_only: ["A", "only the target decides"],
  predicted_only: ["N", "only the prediction decides"],
  neither: ["I", "neither decides"],
};
// Each measure: its name, its formula, the formula with numbers, the value.
function measures({ concordant: C, discordant: D, target_only: A, predicted_only: N, neither: I }) {
  const T = C + D + A, P = C + D + N, n = C + D + A + N + I;
  const share = (over, below) => (below ? over / below : NaN);
  return [
    ["Kendall's tau-a", "(C − D) / all", `(${C} − ${D}) / ${n}`, share(C - D, n)],
    ["Kendall's tau-b", "(C − D) / √(T · P)", `(${C} − ${D}) / √(${T} · ${P})`,
      share(C - D, Math.sqrt(T * P))],
    ["gamma, correctness", "(C − D) / (C + D)", `(${C} − ${D}) / (${C} + ${D})`, share(C - D, C + D)],
    ["completeness", "(C + D) / T", `(${C} + ${D}) / ${T}`, share(C + D, T)],
    ["Jaccard index", "C / (C + 2 D + A + N)", `${C} / (${C} + 2 · ${D} + ${A} + ${N})`,
      share(C, C + 2 * D + A + N)],
    ["Somers' D", "(C − D) / T", `(${C} − ${D}) / ${T}`, share(C - D, T)],
    ["precision", "C / P", `${C} / ${P}`, share(C, P)],
    ["recall", "C / T", `${C} / ${T}`, share(C, T)],
    ["Kendall's distance", "D", `${D}`, D],
  ];
}

const made = (name, attributes = {}, ...children) => {
  const svg = ["svg", "path", "rect", "text", "line", "g"].includes(name);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const shown = (value) => (Number.isNaN(value) ? "undefined" : Number.isInteger(value) ? `${value}` : value.toFixed(4));

function drawNumbers(found) {
  const { concordant: C, discordant: D, target_only: A, predicted_only: N } = found;
  const lines = Object.entries(NAMES).map(([name, [letter, words]]) => [letter, found[name], words]);
  lines.push(["T", C + D + A, "the target decides: C + D + A"]);
  lines.push(["P", C + D + N, "the prediction decides: C + D + N"]);
  document.getElementById("counts").replaceChildren(...lines.flatMap(([letter, value, words]) =>
    [made("dt", {}, letter), made("dd", { "data-count": letter }, `${value}`), made("dd", {}, words)]));
  document.getElementById("measures").replaceChildren(...measures(found).map(([name, formula, filled, value]) =>
    made("tr", {}, made("th", { scope: "row" }, name),
      made("td", {}, formula, made("small", {}, `= ${filled}`)),
      made("td", { "data-measure": name }, shown(value)))));
}
function drawTarget() {
  const svg = document.getElementById("target");
  const at = ([x, y]) => [x * 110, -y * 78];
  const places = data.places.map(at);
  const [left, top] = [0, 1].map((axis) => Math.min(0, ...places.map((place) => place[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(0, ...places.map((place) => place[axis])));
  svg.setAttribute("viewBox", `${left - 60} ${top - 30} ${right - left + 120} ${bottom - top + 60}`);
  svg.setAttribute("aria-label", `Hasse diagram of the target, ${count} items`);
  const lines = data.lines.map(([u, v, way]) =>
    made("path", { class: `line ${classOf(u, v)}`, d: `M${way.map(at).join("L")}` }));
  const boxes = all.flatMap((item) => {
    const [a, b] = places[item], name = items[item], short = name.length > 12 ? `${name.slice(0, 11)}…` : name;
    const half = Math.max(18, short.length * 4.5 + 8);
    return [made("rect", { class: "box", x: a - half, y: b - 14, width: 2 * half, height: 28, rx: 6 }),
      made("text", { x: a, y: b }, short)];
  });
  svg.replaceChildren(...lines, ...boxes);
}
function itemNode(item) {
  const marks = { class: "item", tabindex: "0", role: "button", dir: "auto", "data-item": item };
  const node = made("span", marks, items[item]);
  node.addEventListener("pointerdown", (event) => grab(event, item, node));
  node.addEventListener("keydown", (event) => step(event, item));
  return node;
}
function drawRows() {
  const nodes = [];
  now.rows.forEach((row, place) => {
    nodes.push(made("li", { class: "gap", "data-place": 2 * place, "aria-hidden": "true" }));
    nodes.push(made("li", { "data-place": 2 * place + 1 }, ...[...row].sort((a, b) => a - b).map(itemNode)));
  });
  nodes.push(made("li", { class: "gap", "data-place": 2 * now.rows.length, "aria-hidden": "true" }));
  document.getElementById("rows").replaceChildren(...nodes);
  document.getElementById("shelf").replaceChildren(...now.open.map(itemNode));
}
function draw() {
  drawNumbers(counted());
  drawTarget();
  drawRows();
}

// Dragging: what is under the pointer is where the item goes.
function placeAt(x, y) {
  for (const node of document.elementsFromPoint(x, y)) {
    if (node.id === "shelf") return [node, -1];
    if (node.dataset?.place !== undefined) return [node, Number(node.dataset.place)];
  }
  return [null, null];
}
function grab(event, item, node) {
  if (event.button) return;
  event.preventDefault();
  node.focus();
  node.setPointerCapture(event.pointerId);
  const box = node.getBoundingClientRect();
  const [dx, dy] = [event.clientX - box.left, event.clientY - box.top];
  let over = null;
  const drag = (moved) => {
    node.classList.add("moving");
    node.style.left = `${moved.clientX - dx}px`;
    node.style.top = `${moved.clientY - dy}px`;
    over?.classList.remove("over");
    [over] = placeAt(moved.clientX, moved.clientY);
    over?.classList.add("over");
  };
  const drop = (ended) => {
    node.removeEventListener("pointermove", drag);
    const [, place] = ended.type === "pointerup" ? placeAt(ended.clientX, ended.clientY) : [null, null];
    const moved = node.classList.contains("moving");
    over?.classList.remove("over");
    if (moved && place !== null) put(item, place);
    else draw();
    focusOn(item);
  };
  node.addEventListener("pointermove", drag);
  node.addEventListener("pointerup", drop, { once: true });
  node.addEventListener("pointercancel", drop, { once: true });
}
const focusOn = (item) => document.querySelector(`[data-item="${item}"]`)?.focus();
function step(event, item) {
  const row = now.rows.findIndex((some) => some.includes(item));
  const alone = row >= 0 && now.rows[row].length === 1;
  let place = null;
  if (event.key === "Delete" || event.key === "Backspace") place = -1;
  else if (event.key === "ArrowUp" && row < 0) place = 2 * now.rows.length;
  else if (event.key === "ArrowUp") place = alone ? 2 * row - 1 : 2 * row;
  else if (event.key === "ArrowDown" && row >= 0) place = alone ? 2 * row + 3 : 2 * row + 2;
  if (place === null) return;
  event.preventDefault();
  if (place === -1 && event.key === "ArrowUp") return;
  if (place > 2 * now.rows.length) return;
  put(item, place);
  focusOn(item);
}

const LEGEND = {
  concordant: "the prediction agrees", discordant: "it contradicts", target_only: "it leaves the pair open",
};
document.getElementById("legend").replaceChildren(...Object.entries(LEGEND).map(([kind, words]) => {
  const line = made("line", { class: `line ${kind}`, x1: 0, y1: 5, x2: 40, y2: 5 });
  return made("li", {}, made("svg", { viewBox: "0 0 40 10" }, line), words);
}));
document.getElementById("reset").addEventListener("click", () => { now = start(); draw(); });
document.getElementById("theme").addEventListener("click", (event) => {
  const dark = document.documentElement.classList.toggle("dark");
  event.currentTarget.setAttribute("aria-pressed", dark);
});
draw();
