// Beside the diagram: the order at a glance, one item in full, the legend. Names are text, never HTML.

const byId = (id) => document.getElementById(id);

function element(name, text = null, attributes = {}) {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const counted = (number, singular) =>
  `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;

const FOLDED = {
  plain: "",
  bands: "; a band is one level, folded into rows",
  lines: "; levels run in lines, as in a text",
};

const SPREAD = "; down by the target, across by the order";

function showSummary(view, stop) {
  const all = nItems * (nItems - 1) / 2, cyclic = view.scene.kinds.filter((kind) => kind === "component").length;
  const decided = stop.pairs === null
    ? `with ${counted(cyclic, "strongly connected component")}, items preferred to each other along cycles`
    : nItems < 2 ? "no pair to decide"
    : `${stop.pairs.toLocaleString("en")} of ${counted(all, "pair")} decided`;
  const levels = new Set(view.scene.y).size;
  byId("summary").textContent = `${counted(nItems, "item")}, ${decided}, ${counted(levels, "level")}` +
    (view.places.isSpread ? SPREAD : FOLDED[shapeOf(view.places).kind]);
}

const NAMES_SHOWN = 40;

function nameList(items) {
  const list = element("div", null, { class: "names" });
  for (const item of items.slice(0, NAMES_SHOWN)) list.append(nameButton(item));
  if (items.length > NAMES_SHOWN) list.append(`… ${items.length - NAMES_SHOWN} more`);
  return list;
}

function nameButton(item) {
  const button = element("button", null, { type: "button" });
  button.append(element("bdi", data.items[item]));
  button.addEventListener("click", () => {
    if (isPairing) toggle(nodeOf(item), {});
    else choose(item);
    bringToNotice(nodeOf(item));
  });
  return button;
}

// Where there is no Shift, as on a phone.
function pairingButton() {
  const button = element("button", "Keep a second item: why?", { type: "button", "aria-pressed": isPairing });
  button.addEventListener("click", () => {
    isPairing = !isPairing;
    button.setAttribute("aria-pressed", isPairing);
  });
  return button;
}

function byRank(items, relation) {
  const rank = new Map(items.map((item) => [item, possibleRanks(relation, item)]));
  return items.sort((a, b) => rank.get(a)[0] - rank.get(b)[0] || rank.get(a)[1] - rank.get(b)[1] || a - b);
}

function showDetails(view, item) {
  const details = byId("details");
  details.replaceChildren();
  if (item === null) {
    details.append(element("p", nItems ? "Point at an item, or tab to it: what is above and below it " +
      "stands out, and here is which ranks it may have." : "There is no item.", { class: "hint" }));
    return;
  }
  const { relation } = view, box = view.scene.boxes[relation.boxOf[item]];
  const heading = element("h2");
  heading.append(element("bdi", data.items[item]));
  const above = byRank(members(relation.above(item)), relation);
  const below = byRank(members(relation.below(item)), relation);
  const open = nItems - above.length - below.length - box.length;
  const parts = [heading, ...ranksOf(relation, item), ...companions(view, box, item),
    element("p", `${counted(open, "item")} not comparable`)];
  if (view.overlaid) parts.push(againstTarget(view, item));
  if (item === pinned && nItems > 1) parts.push(pairingButton());
  details.append(column(parts), column([
    element("h3", `▲ ${counted(above.length, "item")} above`, { class: "up" }), nameList(above),
  ]), column([
    element("h3", `▼ ${counted(below.length, "item")} below`, { class: "down" }), nameList(below),
  ]));
}

function column(parts) {
  const made = element("div");
  made.append(...parts);
  return made;
}

function ranksOf(relation, item) {
  const [best, worst] = possibleRanks(relation, item);
  const text = best === worst ? `Rank ${best} of ${nItems}` : `Possible ranks ${best} to ${worst} of ${nItems}`;
  const strip = make("svg", { class: "strip", viewBox: `0 0 ${nItems} 1`, preserveAspectRatio: "none",
    role: "img", "aria-label": text });
  make("rect", { class: "whole", x: 0, y: 0.3, width: nItems, height: 0.4 }, null, strip);
  make("rect", { class: "possible", x: best - 1, y: 0.1, width: worst - best + 1, height: 0.8 }, null, strip);
  return [element("p", text, { class: "ranks" }), strip];
}

function companions(view, box, item) {
  if (box.length < 2) return [];
  const kind = view.scene.kinds[view.relation.boxOf[item]];
  const text = kind === "tie" ? "Known to be equal with" : "On a cycle with";
  return [element("h3", text), nameList(box.filter((other) => other !== item))];
}

const CALLED = {
  concordant: "agree",
  discordant: "contradicted",
  target_only: "missing (target only)",
  predicted_only: "added (predicted only)",
  neither: "neither",
};

// Of the missing pairs the order may know some to be tied.
const called = (kind, tied) => kind === "target_only" && tied
  ? `missing (target only; ${tied} of them tied)` : CALLED[kind];

function againstTarget(view, item) {
  const truth = relationOf(data.target), found = {}, tied = {};
  for (let other = 0; other < nItems; other++) {
    if (other === item) continue;
    const kind = classOf(view.relation, truth, item, other);
    found[kind] = (found[kind] || 0) + 1;
    if (view.relation.boxOf[item] === view.relation.boxOf[other]) tied[kind] = (tied[kind] || 0) + 1;
  }
  const parts = Object.keys(CALLED).filter((kind) => found[kind])
    .map((kind) => `${found[kind]} ${called(kind, tied[kind])}`);
  return element("p", `Of its ${counted(nItems - 1, "pair")}: ${parts.join(", ")}`);
}

const SEQUENCE = ["concordant", "discordant", "target_only", "predicted_only", "neither"];
const percent = (value) => value === undefined || value === null ? "undefined" : value.toFixed(4).replace(/\.?0+$/, "");

function showTarget(stop) {
  if (!stop.counts) return;
  const [agreed, opposed, missing] = stop.counts, both = agreed + opposed, all = both + missing;
  const scores = [
    ["correctness", stop.correctness, `(${agreed} − ${opposed}) / ${both}`],
    ["completeness", stop.completeness, `${both} / ${all}`],
  ];
  byId("scores").replaceChildren(...scores.flatMap(([name, value, fraction]) => [
    element("dt", `${name} = ${fraction}`),
    element("dd", percent(value), { id: name }),
  ]));
  byId("legend").replaceChildren(...SEQUENCE.map((kind, k) => legendRow(kind, stop.counts[k], stop.tied)));
}

function legendRow(kind, number, tied) {
  const row = element("li", null, { "data-kind": kind });
  const sample = make("svg", { viewBox: "0 0 44 14", "aria-hidden": "true" }, null, row);
  if (kind !== "neither") {
    make("path", { class: `line ${kind}`, d: "M2 7H42" }, null, sample);
    if (kind === "discordant" || kind === "predicted_only") {
      make("path", { class: `head ${kind}`, d: arrowHead([24, 7], [1, 0], 10) }, null, sample);
    }
  }
  row.append(element("span", called(kind, tied)), element("b", number.toLocaleString("en")));
  return row;
}
