// Beside the drawing: details of one or two items, the focus, the target, the threshold.

const nameOfItem = (item) => element("bdi", {}, data.items[item]);

function nameList(items, most = 40) {
  const named = (item) => element("button", { type: "button", "data-item": item }, nameOfItem(item));
  const list = element("div", { class: "names" }, ...items.slice(0, most).map(named));
  if (items.length > most) list.append(`… ${items.length - most} more`);
  return list;
}

const column = (...parts) => element("div", {}, ...parts);

function showDetails(view, item) {
  const details = byId("details");
  if (item === null) {
    details.replaceChildren(element("p", { class: "hint" }, !nItems ? "There are no items."
      : "Point at an item, or tap it, to see what is above and below it, and its possible ranks."));
    return;
  }
  details.scrollTop = 0;
  const { order } = view, box = order.boxOf[item], fellows = order.boxes[box].filter((other) => other !== item);
  const [above, below] = [order.up, order.down].map((way) => [...itemsAlong(order, way, item)]);
  const open = nItems - above.length - below.length - order.boxes[box].length;
  const attributes = Object.entries(data.columns).filter(([, values]) => values[item] !== null)
    .map(([name, values]) => element("p", {}, `${name}: ${values[item]}`));
  const fellow = order.kinds[box] === "tie" ? "Tied with" : "On a cycle with";
  details.replaceChildren(
    column(element("h2", {}, nameOfItem(item)), element("p", { class: "ranks" }, ranksOf(above.length, below.length)),
      element("p", {}, `${counted(open, "item")} not comparable`), ...attributes,
      ...fellows.length ? [element("h3", {}, fellow), nameList(fellows)] : []),
    column(element("h3", { class: "up" }, `▲ ${counted(above.length, "item")} above`), nameList(above)),
    column(element("h3", { class: "down" }, `▼ ${counted(below.length, "item")} below`), nameList(below)));
}

// Two items: the evidence for each line of a shortest chain between them.
function showPair({ order }, [u, v]) {
  const heading = (word) => element("h2", {}, nameOfItem(u), word, nameOfItem(v)), rows = [];
  const why = order.open && order.reasons[order.open[[u, v].sort((a, b) => a - b).join(" ")]];
  const none = why || "Not comparable: neither is above the other.";
  const chain = chainOf(order, u, v);
  if (chain.length < 2) return byId("details").replaceChildren(column(heading(" and "), element("p", {}, none)));
  chain.slice(1).forEach((item, k) => {
    const evidence = order.evidence && order.evidence[`${chain[k]} ${item}`];
    rows.push(element("p", {}, nameOfItem(chain[k]), " > ", nameOfItem(item), evidence ? `: ${evidence}` : ""));
  });
  byId("details").replaceChildren(column(heading(" over ")),
    column(element("h3", {}, rows.length > 1 ? "A shortest chain" : "A line of the order"), ...rows));
}

// The two selected boxes by an item of each, the better one first; null if there are not two.
function askedPair({ order }) {
  const boxes = new Map(state.picked.map((item) => [order.boxOf[item], item]));
  if (boxes.size !== 2 || (pointed !== null && !state.picked.includes(pointed))) return null;
  const [u, v] = boxes.values();
  return reach(order.up, order.boxOf[u]).has(order.boxOf[v]) ? [v, u] : [u, v];
}

function chainOf(order, u, v) {
  if (!reach(order.down, order.boxOf[u]).has(order.boxOf[v])) return [];
  const far = reach(order.down, order.boxOf[u]), chain = [order.boxOf[v]];
  const before = (box) => order.up[box].find((other) => far.get(other) === far.get(box) - 1);
  while (chain[0] !== order.boxOf[u]) chain.unshift(before(chain[0]));
  return [u, ...chain.slice(1, -1).map((box) => order.boxes[box][0]), v];
}

function showFocus({ scene }) {
  const { focus, within } = state, n = scene.boxes.flat().length.toLocaleString("en");
  byId("all").hidden = focus === null;
  byId("within").value = within;
  byId("number").textContent = focus !== null ? `${n} of ${counted(nItems, "item")} shown, around ${data.items[focus]}` : "";
}

function showTarget(stop) {
  if (!stop.counts) return;
  byId("scores").replaceChildren(...stop.scores.flatMap(([name, formula, value]) =>
    [element("dt", {}, formula), element("dd", { id: name }, value)]));
  const numbers = stop.counts.map((count) => count.toLocaleString("en"));
  ["concordant", "discordant", "target_only", "predicted_only", "neither"].forEach((kind, k) =>
    document.querySelector(`#counts [data-kind=${kind}] b`).replaceChildren(numbers[k]));
  byId("tied").textContent = stop.tied ? `${stop.tied} of the missing pairs ${stop.tied > 1 ? "are" : "is"} tied in the order.` : "";
}

function showThreshold(stop) {
  byId("threshold").value = state.stop;
  byId("threshold").setAttribute("aria-valuetext", stop.summary);
  byId("alpha").textContent = `Threshold: ${stop.words}`;
  byId("remarks").textContent = stop.remarks;
}
