// Two orders as Boolean matrices of their closures: the target, and the prediction, which is changed pair by pair.

const all = [...data.items.keys()];
function matrixOf(pairs) {
  const known = new Set(pairs.map(String));
  return all.map((u) => all.map((v) => known.has(`${u},${v}`)));
}
const truth = matrixOf(data.truth), past = [];
let above = matrixOf(data.predicted), picked = [];
const target = placed(prepared(data.target));
const diagrams = { target: newDiagram(byId("target")), predicted: newDiagram(byId("predicted")) };

function classOf(u, v) {
  const is = truth[u][v] - truth[v][u], guess = above[u][v] - above[v][u];
  if (is && guess) return is === guess ? "concordant" : "discordant";
  return is ? "target_only" : guess ? "predicted_only" : "neither";
}

const itemsBetween = (u, v) => all.filter((k) => above[u][k] && above[k][v]);

// The diagram of the prediction as it is now.
function sceneOfPrediction() {
  const depth = all.map(() => 0), inTurn = [...all].sort((a, b) => above[b].filter(Boolean).length - above[a].filter(Boolean).length);
  for (const u of inTurn) for (const v of all) if (above[u][v]) depth[v] = Math.max(depth[v], depth[u] + 1);
  const lines = all.flatMap((u) => all.filter((v) => above[u][v] && !itemsBetween(u, v).length).map((v) => [u, v]));
  const lone = all.filter((item) => !lines.flat().includes(item));
  return placed(prepared({ boxes: all.map((item) => [item]), kinds: all.map(() => "item"), lines: lines.flat(),
    apart: lone.length > data.few_apart ? lone : [], y: depth.map((each) => Math.max(...depth) - each) }));
}

// A cover can be taken out, and an open pair be ordered, with all pairs that follow.
function relate(u, v, relation) {
  past.push(structuredClone(above));
  above[u][v] = above[v][u] = false;
  const [better, worse] = relation === "below" ? [v, u] : [u, v];
  const over = all.filter((k) => k === better || above[k][better]), under = all.filter((k) => k === worse || above[worse][k]);
  if (relation !== "open") for (const i of over) for (const j of under) above[i][j] = true;
  show();
  say(`${data.items[u]} ${byId("relation").selectedOptions[0].text} ${data.items[v]}`);
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

// How the two chosen items are related, and whether that can be changed.
function showPair() {
  const [u, v] = picked, isPair = picked.length === 2, choice = byId("relation");
  for (const [k, id] of [[0, "first"], [1, "second"]]) byId(id).value = picked[k] ?? "";
  choice.value = !isPair ? "" : above[u][v] ? "above" : above[v][u] ? "below" : "open";
  const between = isPair ? [...itemsBetween(u, v), ...itemsBetween(v, u)] : [];
  choice.disabled = !isPair || between.length > 0;
  byId("why").textContent = between.length ? `Fixed by the items between: ${between.map((k) => data.items[k]).join(", ")}.` : "";
  const states = new Map(picked.map((item) => [item, ["picked"]]));  // Boxes are single items here.
  for (const { light } of Object.values(diagrams)) light(states, []);
}

function show() {
  for (const [name, scene] of [["target", target], ["predicted", sceneOfPrediction()]]) {
    linesOf(scene).forEach((line) => { line.kind = classOf(line.u, line.v); });
    diagrams[name].draw({ scene, order: scene });
    diagrams[name].fit();
  }
  byId("undo").disabled = !past.length;
  showNumbers();
  showPair();
}

for (const [k, id] of [[0, "first"], [1, "second"]]) {
  const other = k ? "first" : "second";
  byId(id).append(element("option", { value: "" }, "choose an item"),
    ...all.map((item) => element("option", { value: item }, data.items[item])));
  byId(id).addEventListener("change", () => {
    const chosen = [byId("first").value, byId("second").value];
    if (chosen[0] === chosen[1]) byId(other).value = chosen[1 - k] = "";
    picked = chosen.filter((text) => text !== "").map(Number);
    showPair();
  });
}
for (const { svg, nodeAt } of Object.values(diagrams)) {
  svg.addEventListener("click", ({ clientX, clientY }) => {
    const [item] = nodeAt(clientX, clientY)?.items || [];
    if (item === undefined) return;
    picked = picked.length === 2 || picked.includes(item) ? [item] : [...picked, item];
    showPair();
  });
}
byId("relation").addEventListener("change", (event) => relate(...picked, event.target.value));
byId("undo").addEventListener("click", () => {
  above = past.pop();
  show();
});
show();
