// Two orders as Boolean matrices of their closures, and the rows in which the prediction is shown.

const all = [...data.items.keys()];
const matrixOf = (pairs) => {
  const matrix = all.map(() => all.map(() => false));
  for (const [u, v] of pairs) matrix[u][v] = true;
  return matrix;
};
const truth = matrixOf(data.truth);
const start = () => structuredClone({ above: matrixOf(data.predicted), rows: data.rows, open: data.open });
const scene = placed(prepared(data.target)), diagram = newDiagram(byId("target"));
const lines = linesOf(scene).map(({ u, v }) => [u, v]);
let now = start();
const past = [];

// A moved item is compared with all others by their rows; pairs that follow are added.
function move(item, rows, open) {
  const { above } = now, row = new Map(rows.flatMap((some, place) => some.map((each) => [each, place])));
  for (const other of all) {
    above[item][other] = row.has(item) && row.get(other) > row.get(item);
    above[other][item] = row.has(item) && row.get(other) < row.get(item);
  }
  for (const k of all) {
    for (const i of all) if (above[i][k]) for (const j of all) if (above[k][j]) above[i][j] = true;
  }
  now = { above, rows: rows.filter((some) => some.length), open };
  show();
}

// A place is 2 r + 1 for row r, 2 r for the gap before it, and -1 for the shelf.
function put(item, place) {
  past.push(structuredClone(now));
  const rows = now.rows.map((row) => row.filter((each) => each !== item));
  const open = now.open.filter((each) => each !== item);
  if (place < 0) open.push(item);
  else if (place % 2) rows[(place - 1) / 2].push(item);
  else rows.splice(place / 2, 0, [item]);
  move(item, rows, open);
  byId("voice").textContent = `${data.items[item]} ${place < 0 ? "left open" : "moved"}`;
}

function classOf(u, v) {
  const is = truth[u][v] - truth[v][u], guess = now.above[u][v] - now.above[v][u];
  if (is && guess) return is === guess ? "concordant" : "discordant";
  return is ? "target_only" : guess ? "predicted_only" : "neither";
}

// The five counts and their sums, named by the letters of the formulas.
function showNumbers() {
  const kinds = { concordant: "C", discordant: "D", target_only: "A", predicted_only: "N", neither: "I" };
  const counts = { C: 0, D: 0, A: 0, N: 0, I: 0 };
  for (const u of all) for (const v of all) if (u < v) counts[kinds[classOf(u, v)]]++;
  const { C, D, A, N, I } = counts, letters = { ...counts, T: C + D + A, P: C + D + N, all: C + D + A + N + I };
  for (const made of document.querySelectorAll("[data-count]")) made.textContent = letters[made.dataset.count];
  const filledIn = (formula) => formula.replace(/\b(all|[CDANTP])\b/g, (letter) => letters[letter]);
  const sum = (weights) => weights.reduce((total, weight, k) => total + weight * [C, D, A, N, I][k], 0);
  byId("measures").replaceChildren(...data.measures.map(([name, formula, over, ...below]) => {
    const value = sum(over) / Math.sqrt(below.map(sum).reduce((a, b) => a * b, 1));
    const text = !Number.isFinite(value) ? "undefined" : String(Number(value.toFixed(4)));
    return element("tr", {}, element("th", { scope: "row" }, name),
      element("td", {}, formula, element("small", {}, `= ${filledIn(formula)}`)),
      element("td", { "data-measure": name }, text));
  }));
}

function itemNode(item) {
  const marks = { class: "item", tabindex: "0", role: "button", dir: "auto", "data-item": item };
  const node = element("span", marks, data.items[item]);
  node.addEventListener("pointerdown", (event) => grab(event, item, node));
  node.addEventListener("keydown", (event) => step(event, item));
  for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => mark(item));
  return node;
}

// Marks the items above and below an item in the prediction, which rows alone do not show.
function mark(item) {
  for (const node of document.querySelectorAll("[data-item]")) {
    node.classList.toggle("up", now.above[node.dataset.item][item]);
    node.classList.toggle("down", now.above[item][node.dataset.item]);
  }
}

function show() {
  const row = (place, ...nodes) => element("li", { class: place % 2 ? "" : "gap", "data-place": place }, ...nodes);
  byId("rows").replaceChildren(...now.rows.flatMap((items, r) =>
    [row(2 * r), row(2 * r + 1, ...[...items].sort((a, b) => a - b).map(itemNode))]), row(2 * now.rows.length));
  byId("shelf").replaceChildren(...now.open.map(itemNode));
  scene.compared = lines.map(([u, v], cover) => [u, v, classOf(u, v), cover]);
  scene.drawnLines = null;
  diagram.draw({ scene, order: scene });
  diagram.fit();
  showNumbers();
}

// Dragging: the item goes to the row under the pointer.
function grab(event, item, node) {
  if (event.button) return;
  event.preventDefault();
  node.focus();
  const box = node.getBoundingClientRect(), [dx, dy] = [event.clientX - box.left, event.clientY - box.top];
  const drag = (moved) => {
    node.classList.add("moving");
    Object.assign(node.style, { left: `${moved.clientX - dx}px`, top: `${moved.clientY - dy}px` });
  };
  const drop = ({ type, clientX, clientY }) => {
    const row = document.elementsFromPoint(clientX, clientY).find((each) => each.dataset.place);
    document.removeEventListener("pointermove", drag);
    for (const name of ENDS) document.removeEventListener(name, drop);
    if (node.classList.contains("moving") && row && type === "pointerup") put(item, Number(row.dataset.place));
    else show();
    focusOn(item);
  };
  document.addEventListener("pointermove", drag);
  for (const name of ENDS) document.addEventListener(name, drop);
}

const ENDS = ["pointerup", "pointercancel"];
const focusOn = (item) => document.querySelector(`[data-item="${item}"]`)?.focus();

function step(event, item) {
  const row = now.rows.findIndex((some) => some.includes(item)), last = 2 * now.rows.length;
  const alone = row >= 0 && now.rows[row].length === 1;
  const place = {
    Delete: -1, Backspace: -1, ArrowUp: row < 0 ? last : alone ? 2 * row - 1 : 2 * row,
    ArrowDown: row < 0 ? null : alone ? 2 * row + 3 : 2 * row + 2,
  }[event.key] ?? null;
  if (place === null) return;
  event.preventDefault();
  if ((place < 0 && event.key === "ArrowUp") || place > last) return;
  put(item, place);
  focusOn(item);
}

function back(to) {
  now = to;
  show();
}

byId("reset").addEventListener("click", () => {
  past.push(now);
  back(start());
});
byId("undo").addEventListener("click", () => back(past.pop() || now));
document.addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey)) byId("undo").click();
});
show();
