// Beside the drawing: the order at a glance, one item or two in full, what is hidden, the target.

function showSummary(view, stop) {
  const all = nItems * (nItems - 1) / 2, cyclic = view.order.kinds.filter((kind) => kind === "component").length;
  const decided = stop.pairs === null
    ? `with ${counted(cyclic, "strongly connected component")}, items preferred to each other along cycles`
    : nItems < 2 ? "no pair to decide" : `${stop.pairs.toLocaleString("en")} of ${counted(all, "pair")} decided`;
  const levels = counted(new Set(view.order.y).size, "level");
  const spread = view.scene.isSpread ? "; down by the target, across by the order" : "";
  byId("summary").textContent = `${counted(nItems, "item")}, ${decided}, ${levels}${spread}`;
  const isSparse = !view.scene.isFew && nItems;
  byId("note").textContent = isSparse ? "An overview: point at an item for its lines, search, or focus" : "";
}

const NAMES_SHOWN = 40;
const nameButton = (item) => button("", (event) => pick(item, event, true), { "data-item": item });

function nameList(items, most = NAMES_SHOWN) {
  const list = element("div", { class: "names" });
  for (const item of items.slice(0, most)) {
    const made = nameButton(item);
    made.append(nameOfItem(item));
    list.append(made);
  }
  if (items.length > most) list.append(`… ${items.length - most} more`);
  return list;
}

const column = (...parts) => element("div", {}, ...parts);
const nameOfItem = (item) => element("bdi", {}, data.items[item]);

function byRank(items, { above, below, boxOf }) {
  const best = (item) => above[boxOf[item]], worst = (item) => -below[boxOf[item]];
  return [...items].sort((a, b) => best(a) - best(b) || worst(a) - worst(b) || a - b);
}

function showDetails(view, item) {
  const details = byId("details");
  if (item === null) {
    details.replaceChildren(element("p", { class: "hint" }, !nItems ? "There is no item."
      : "Point at an item, or go to it with the arrow keys: what is above and below it stands out, " +
        "and here is which ranks it may have."));
    return;
  }
  details.scrollTop = 0;
  const { order } = view, box = order.boxOf[item], fellows = order.boxes[box].filter((other) => other !== item);
  const [best, worst] = [1 + order.above[box], nItems - order.below[box]];
  const ranks = best === worst ? `Rank ${best} of ${nItems}` : `Possible ranks ${best} to ${worst} of ${nItems}`;
  const above = byRank(itemsAlong(order, order.up, item), order);
  const below = byRank(itemsAlong(order, order.down, item), order);
  const open = nItems - above.length - below.length - order.boxes[box].length;
  const attributes = Object.entries(data.columns).filter(([, values]) => values[item] !== null)
    .map(([name, values]) => element("p", {}, `${name}: ${values[item]}`));
  const fellow = order.kinds[box] === "tie" ? "Known to be equal with" : "On a cycle with";
  details.replaceChildren(
    column(element("h2", {}, nameOfItem(item)), element("p", { class: "ranks" }, ranks),
      element("p", {}, `${counted(open, "item")} not comparable`), ...attributes,
      ...fellows.length ? [element("h3", {}, fellow), nameList(fellows)] : [],),
    column(element("h3", { class: "up" }, `▲ ${counted(above.length, "item")} above`), nameList(above)),
    column(element("h3", { class: "down" }, `▼ ${counted(below.length, "item")} below`), nameList(below)));
}

// What is said of the line from one item to another, if anything.
function says(order, u, v) {
  const [from, to] = [order.boxOf[u], order.boxOf[v]];
  order.lineAt ||= new Map(linesOf(placed(order)).map((line, k) => [`${line.u} ${line.v}`, k]));
  return order.said && order.said[order.lineAt.get(`${from} ${to}`)];
}

// Two items: what is said of the lines of a shortest chain from one to the other, and what lies between.
function showPair({ order }, [u, v], between) {
  const heading = (word) => element("h2", {}, nameOfItem(u), word, nameOfItem(v)), rows = [];
  const told = "Not comparable: neither is above the other.";
  if (!between) return byId("details").replaceChildren(column(heading(" and "), element("p", {}, told)));
  const chain = chainOf(order, u, v);
  chain.slice(1).forEach((item, k) => {
    const said = says(order, chain[k], item);
    rows.push(element("p", {}, nameOfItem(chain[k]), " > ", nameOfItem(item), said ? `: ${said}` : ""));
  });
  byId("details").replaceChildren(column(heading(" over ")),
    column(element("h3", {}, rows.length > 1 ? "A shortest chain" : "A line of the order"), ...rows),
    column(element("h3", {}, `${counted(between.length, "item")} between`), nameList(byRank(between, order))));
}

// The two selected boxes by an item of each, the better one first; null if there are not two.
function askedPair({ order }) {
  const boxes = new Map(state.picked.map((item) => [order.boxOf[item], item]));
  if (boxes.size !== 2 || (pointed !== null && !state.picked.includes(pointed))) return null;
  const [u, v] = boxes.values();
  return reach([order.up], order.boxOf[u]).has(order.boxOf[v]) ? [v, u] : [u, v];
}

function chainOf(order, u, v) {
  const far = reach([order.down], order.boxOf[u]), chain = [order.boxOf[v]];
  const before = (box) => order.up[box].find((other) => far.get(other) === far.get(box) - 1);
  while (chain[0] !== order.boxOf[u]) chain.unshift(before(chain[0]));
  return [u, ...chain.slice(1, -1).map((box) => order.boxes[box][0]), v];
}

// What is hidden, each with a button that shows it again.
function showChips({ part }) {
  const name = (item) => data.items[item], { focus, where, levels, between } = state, chips = [];
  const chip = (text, patch) => chips.push(button(`${text} ×`, () => change(patch)));
  if (focus) {
    const mode = focus[1] === "both" ? "above and below" : focus[1];
    chip(`${mode} ${name(focus[0])}${focus[2] ? `, within ${counted(focus[2], "cover")}` : ""}`, { focus: null });
  }
  if (where) chip(`${where[0]} ${where[1]}`, { where: null });
  for (const level of levels) chip(`level ${level} collapsed`, { levels: levels.filter((each) => each !== level) });
  for (const two of between) {
    chip(`${two.map(name).join(" … ")} collapsed`, { between: between.filter((each) => each !== two) });
  }
  const shown = part.boxes.reduce((sum, items) => sum + items.length, 0);
  byId("shown").textContent = !chips.length ? "All items are shown"
    : `${shown.toLocaleString("en")} of ${counted(nItems, "item")} shown`;
  byId("chips").replaceChildren(...chips);
  if (where) byId("column").value = where[0];
  if (document.activeElement !== byId("condition")) byId("condition").value = where ? where[1] : "";
  if (focus) [byId("mode").value, byId("within").value] = focus.slice(1);
}

const percent = (value) => value === undefined || value === null ? "undefined" : String(Number(value.toFixed(4)));

function showTarget(stop) {
  if (!stop.counts) return;
  const [agreed, opposed, missing] = stop.counts, both = agreed + opposed;
  const scores = [
    ["correctness", stop.correctness, `(${agreed} − ${opposed}) / ${both}`],
    ["completeness", stop.completeness, `${both} / ${both + missing}`],
  ];
  byId("scores").replaceChildren(...scores.flatMap(([name, value, fraction]) =>
    [element("dt", {}, `${name} = ${fraction}`), element("dd", { id: name }, percent(value))]));
  document.querySelectorAll("#legend b").forEach((made, k) => {
    made.textContent = stop.counts[k].toLocaleString("en");
  });
  byId("tied").textContent = stop.tied ? `Of the missing pairs the order knows ${stop.tied} to be tied.` : "";
}

// The lines that rest on the least evidence, or on the lowest degree.
function showWeakest({ order }) {
  const rows = (order.weakest || []).map((k) => {
    const [u, v] = [0, 1].map((end) => order.boxes[order.lines[2 * k + end]][0]);
    const made = button("", () => {
      change({ picked: [u, v] });
      shownPanes().forEach((pane) => pane.fly(u));
    });
    made.append(nameOfItem(u), " > ", nameOfItem(v));
    return element("li", {}, made, ` ${order.said[k]}`);
  });
  byId("weakest-part").hidden = !rows.length;
  byId("weakest").replaceChildren(...rows);
}
