// Shows a state, and starts the page: this file comes last.

const panes = [newPane(byId("diagram")), newPane(byId("diagram-other"))];
const stopsShown = () => state.other === null ? [state.stop] : [state.stop, state.other];
const shownPanes = () => panes.slice(0, stopsShown().length);

function refresh() {
  const stops = stopsShown(), stop = data.stops[state.stop];
  if (byId("other-stage").hidden !== stops.length < 2) panes.forEach((pane) => { pane.isFitted = true; });
  byId("other-stage").hidden = stops.length < 2;
  stops.forEach((number, k) => {
    const pane = panes[k], view = viewOf(number, state), last = pane.view;
    if (last !== view) pane.draw(view);
    const isOther = last && last.scene.boxes.length !== view.scene.boxes.length;
    if (last !== view && (pane.isFitted || isOther)) pane.fit();
    const isMarked = view.scene.isFew && !view.scene.compared;
    byId(`title-${k}`).textContent = stops.length < 2 ? ""
      : data.stops[number].title + (isMarked ? "; thick lines: only in this order" : "");
  });
  if (state.at && !panes[0].isFitted) panes[0].look(panes[0].centred(...state.at), true);
  const [{ view }] = panes;
  const how = view.scene.isSpread ? "; levels of the target, left to right as in the order"
    : view.scene.isFew ? "" : "; point at an item to see its lines";
  byId("summary").textContent = stop.summary + how;
  showTarget(stop);
  showChips(view);
  showWeakest(view);
  byId("overlay").checked = state.over;
  if (hasSlider) showThreshold(stop);
  highlight();
}

// Highlights an item with those above and below it, or two items with those between them.
function highlight() {
  const [{ view }] = panes, item = current(), pair = askedPair(view), { order } = view;
  const between = pair && reach([order.down], order.boxOf[pair[0]]).has(order.boxOf[pair[1]])
    ? boxesBetween(order, ...pair).flatMap((box) => order.boxes[box]) : null;
  if (pair) showPair(view, pair, between);
  else showDetails(view, item);
  for (const id of ["focus", "level", "second"]) byId(id).disabled = item === null;
  byId("collapse").disabled = !between || !between.some(panes[0].nodeOf);
  shownPanes().forEach((pane) => light(pane, item, pair && (between || [])));
}

// If there are very many lines, only those of the item itself are highlighted.
function light(pane, item, between) {
  const { order, scene } = pane.view, states = new Map();
  const mark = (some, state) => {
    for (const each of some) {
      const box = scene.boxOf[each], own = states.get(box) || [];
      if (!own.includes(state)) states.set(box, [...own, state]);
    }
  };
  mark(state.picked, "picked");
  mark(found, "found");
  if (between) mark([...between, ...state.picked], "chosen");
  else if (item !== null) mark(order.boxes[order.boxOf[item]], "chosen");
  if (!between && item !== null) {
    mark(itemsAlong(order, order.up, item), "up");
    mark(itemsAlong(order, order.down, item), "down");
  }
  const is = (box, name) => states.has(box) && states.get(box).includes(name);
  const isNear = ({ u, v }) => is(u, "chosen") || is(v, "chosen");
  const kindOf = ({ u, v }) => ["up", "down", "chosen"].find((name) =>
    (is(u, name) || is(u, "chosen")) && (is(v, name) || is(v, "chosen")));
  const lines = item === null ? [] : linesOf(scene).filter(scene.compared ? isNear : kindOf);
  const hot = lines.length > MANY_LINES ? lines.filter(isNear) : lines;
  const only = state.other === null ? [] : onlyHere(pane);
  pane.light(states, [...scene.compared ? hot : hot.map((line) => ({ ...line, kind: kindOf(line) })), ...only]);
}

// Side by side: the lines whose pairs the other order leaves open.
function onlyHere({ view }) {
  const other = panes.find((pane) => pane.view !== view);
  if (!other || !view.scene.isFew || view.scene.compared) return [];
  const { order } = other.view, below = new Map();
  const isThere = (u, v) => (below.get(u) || below.set(u, itemsAlong(order, order.down, u)).get(u)).has(v);
  return linesOf(view.scene).filter(({ u, v }) => !isThere(view.scene.boxes[u][0], view.scene.boxes[v][0]))
    .map((line) => ({ ...line, kind: "only" }));
}

panes[0].onRest = () => {
  const { x, y, w, h } = panes[0].frame;
  const seen = [x + w / 2, y + h / 2, panes[0].scaleNow()].map((value) => Math.round(1000 * value) / 1000);
  change({ at: panes[0].isFitted ? null : seen }, true);
};
panes.forEach(handle);
for (const made of document.querySelectorAll("[data-key]")) {
  made.addEventListener("click", () => KEYS[made.dataset.key]());
}
byId("overlay").addEventListener("change", (event) => {
  panes[0].isFitted = true;
  change({ over: event.target.checked, at: null });
});
byId("threshold").addEventListener("input", (event) => change({ stop: Number(event.target.value) }));
byId("other").addEventListener("change", ({ target: { value } }) =>
  change({ other: value === "" ? null : Number(value) }));
for (const id of ["mode", "within"]) {
  byId(id).addEventListener("change", () => { if (state.focus) focusOn(state.focus[0]); });
}
for (const id of ["column", "condition"]) {
  byId(id).addEventListener("change", ({ target }) => {
    const text = byId("condition").value.trim();
    target.blur();
    change({ where: text ? [byId("column").value, text] : null, at: null });
  });
}
window.addEventListener("hashchange", openAddress);

const columns = Object.keys({ ...data.columns, ...COLUMNS });
byId("column").append(...columns.map((name) => new Option(name, name)));
byId("other").append(new Option("one alone", ""), ...data.stops.map((stop, k) => new Option(stop.title, k)));
byId("threshold-part").hidden = !hasSlider;
byId("choices").hidden = data.stops.length < 2;
byId("target-part").hidden = !hasTarget;
byId("overlay").closest("label").hidden = !hasOverlay;
byId("no-overlay").hidden = hasOverlay;
byId("threshold").max = data.stops.length - 1;
openAddress();
