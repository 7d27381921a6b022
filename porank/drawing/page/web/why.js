// Why one of two selected items stands above the other: chains of stated pairs that share no evidence,
// and the least evidence without which it would no longer follow, as porank.why tells them.

// The two items, if two boxes are selected and the page knows what is stated: pairs with evidence, or
// at a threshold, else the lines of the diagram.
function askedPair() {
  const boxes = [...new Set(selected.map((item) => shown.boxOf[item]))];
  const isUnknown = data.stops[stopNumber].alpha !== null && !data.stated;
  if (boxes.length !== 2 || isUnknown) return null;
  const two = boxes.map((box) => selected.find((item) => shown.boxOf[item] === box));
  return hovered === null || two.includes(hovered) ? two : null;
}

// Of boxes with several items, every one is above every one below.
const linesAsPairs = ({ boxes, lines }) => lines.flatMap((_, k) => k % 2 ? []
  : boxes[lines[k]].flatMap((u) => boxes[lines[k + 1]].flatMap((v) => [u, v])));

const rooms = new Map();

// From each item to others, how much evidence the stated pair has at a stop.
function roomsAt(stop) {
  if (!rooms.has(stop)) {
    const pairs = stop.own || (stop.alpha === null ? linesAsPairs(data.scenes[stop.scene]) : data.stated);
    const many = stop.alpha === null ? pairs.length / 2 : stop.stated;
    const found = data.items.map(() => new Map());
    for (let k = 0; k < many; k++) found[pairs[2 * k]].set(pairs[2 * k + 1], stop.amounts ? stop.amounts[k] : 1);
    rooms.set(stop, found);
  }
  return rooms.get(stop);
}

// A shortest way on which every step has something left, and what can be reached at all.
function wayWithin(left, from, to) {
  const before = new Map([[from, null]]);
  for (const item of before.keys()) {
    if (item === to) break;
    for (const [next, room] of left[item]) if (room > 1e-12 && !before.has(next)) before.set(next, item);
  }
  if (!before.has(to)) return { reached: before };
  const way = [to];
  while (way[0] !== from) way.unshift(before.get(way[0]));
  return { way };
}

const stepsOf = (way) => way.slice(1).map((item, k) => [way[k], item]);

// A maximum flow along shortest ways, split into chains, and the minimum cut nearest to the first item.
function explain(stated, from, to) {
  const left = stated.map((row) => new Map(row)), chains = [], cut = [];
  const step = (rows, u, v, amount) => rows[u].set(v, (rows[u].get(v) || 0) + amount);
  let found = wayWithin(left, from, to);
  for (; found.way; found = wayWithin(left, from, to)) {
    const steps = stepsOf(found.way), amount = Math.min(...steps.map(([u, v]) => left[u].get(v)));
    for (const [u, v] of steps) {
      step(left, u, v, -amount);
      step(left, v, u, amount);
    }
  }
  const sent = stated.map((row, u) => new Map([...row].map(([v, room]) => [v, room - left[u].get(v)])));
  for (let { way } = wayWithin(sent, from, to); way; { way } = wayWithin(sent, from, to)) {
    const steps = stepsOf(way), amount = Math.min(...steps.map(([u, v]) => sent[u].get(v)));
    for (const [u, v] of steps) step(sent, u, v, -amount);
    chains.push({ amount, way });
  }
  for (const u of found.reached.keys()) {
    for (const [v, room] of stated[u]) if (!found.reached.has(v)) cut.push({ u, v, room });
  }
  return { chains: chains.sort((a, b) => b.amount - a.amount), cut };
}

const explanations = new Map();

function explainPair(asked) {
  const stop = data.stops[stopNumber], key = [stopNumber, ...asked].join(" ");
  if (!explanations.has(key)) {
    const { relation } = shown, [u, v] = relation.isAbove(asked[1], asked[0]) ? [...asked].reverse() : asked;
    const isAbove = relation.isAbove(u, v);
    explanations.set(key, { u, v, isAbove, ...(isAbove ? explain(roomsAt(stop), u, v) : { chains: [], cut: [] }) });
  }
  return explanations.get(key);
}

// Pairs that are lines of the diagram as they are drawn there, others as bows.
function drawChains({ chains }) {
  const drawn = new Map(shown.lines.map((line) => [`${shown.boxOf[line.u]} ${shown.boxOf[line.v]}`, line.path]));
  const paths = new Set();
  for (const [u, v] of chains.flatMap(({ way }) => stepsOf(way))) {
    const line = { u: shown.boxOf[u], v: shown.boxOf[v] }, key = `${line.u} ${line.v}`;
    paths.add(drawn.get(key) || bowedRun(shown.places, line, othersOf(shown.places, line)).path);
  }
  layers.hot.replaceChildren();
  for (const d of paths) make("path", { class: "line up", d }, null, layers.hot);
}

const amountOf = (number) => Number(number.toFixed(3)).toLocaleString("en");

function showChains({ u, v, isAbove, chains, cut }) {
  const name = (item) => data.items[item], spelled = (way) => way.map(name).join(" > ");
  const { evidence } = data.stops[stopNumber];
  const unit = evidence === "statement" ? evidence : evidence ? `unit of ${evidence}` : "pair";
  const heading = element("h2");
  heading.append(element("bdi", name(u)), isAbove ? " over " : " and ", element("bdi", name(v)));
  const total = cut.reduce((sum, { room }) => sum + room, 0);
  const told = !isAbove ? "Not comparable: no stated pairs lead from one to the other."
    : `It rests on ${counted(Number(total.toFixed(3)), unit)}, in ${counted(chains.length, "chain")} that share none.`;
  const rows = (what, list, says) => column([element("h3", what), ...list.map((each) => element("p", says(each)))]);
  byId("details").replaceChildren(column([heading, element("p", told)]));
  if (!isAbove) return;
  byId("details").append(
    rows("Chains", chains.slice(0, NAMES_SHOWN), ({ amount, way }) => `${amountOf(amount)}: ${spelled(way)}`),
    rows("Without these it would not follow", cut.slice(0, NAMES_SHOWN),
      (each) => `${amountOf(each.room)}: ${spelled([each.u, each.v])}`));
}
