// Shows a state, and starts the page: this file comes last.

function refresh() {
  const stop = data.stops[state.stop], view = viewOf(state), last = diagram.view;
  if (last !== view) diagram.draw(view);
  if (last !== view && diagram.isFitted) diagram.fit();
  byId("how").textContent = !view.scene.isFew ? "point at an item to see its lines"
    : view.scene.spots.length ? "all above a small dot are preferred to all below it" : "";
  byId("summary").textContent = stop.summary;
  showTarget(stop);
  showFocus(view);
  showThreshold(stop);
  highlight();
}

// Highlights an item with those above and below it, or two items with a chain between them.
function highlight() {
  const { view } = diagram, item = current(), pair = askedPair(view);
  if (pair) showPair(view, pair);
  else showDetails(view, item);
  for (const id of ["focus", "second"]) byId(id).disabled = item === null;
  light(item, pair);
}

// If there are more than 600 lines, only those of the item itself are highlighted.
function light(item, pair) {
  const { order, scene } = diagram.view, states = new Map();
  const mark = (some, state) => {
    const boxes = new Set([...some].map((each) => scene.boxOf[each]));
    for (const box of boxes) states.set(box, [...states.get(box) || [], state]);
  };
  mark(state.picked, "picked");
  mark(found, "found");
  if (pair) mark(chainOf(order, ...pair), "chosen");
  else if (item !== null) mark(order.boxes[order.boxOf[item]], "chosen");
  if (!pair && item !== null) {
    mark(itemsAlong(order, order.up, item), "up");
    mark(itemsAlong(order, order.down, item), "down");
  }
  const is = (box, name) => states.has(box) && states.get(box).includes(name);
  // A line to or from a junction has the kind of any pair of boxes that it joins.
  const are = (boxes, ...names) => boxes.some((box) => names.some((name) => is(box, name)));
  const isNear = ({ above, below }) => are(above, "chosen") || are(below, "chosen");
  const kindOf = ({ above, below }) => ["up", "down", "chosen"].find((name) =>
    are(above, name, "chosen") && are(below, name, "chosen"));
  const lines = item === null ? [] : linesOf(scene).filter(kindOf);
  const hot = lines.length > 600 ? lines.filter(isNear) : lines;
  diagram.light(states, hot.map((line) => ({ ...line, kind: kindOf(line) })));
}

byId("threshold").addEventListener("input", (event) => change({ stop: Number(event.target.value) }));
byId("within").addEventListener("change", (event) => change({ within: Number(event.target.value) }));

byId("threshold-part").hidden = !data.stops[0].alpha;
byId("threshold").hidden = data.stops.length < 2;
byId("target-part").hidden = !data.stops[0].counts;
byId("threshold").max = data.stops.length - 1;
Object.assign(follow, { settings: refresh, pointer: highlight });
openAddress();
