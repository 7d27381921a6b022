// The boxes shown, and the lines between them, with and without a focus.

// The boxes that can be reached from a box along lines, and the number of lines.
function reach(way, box, most = Infinity) {
  const found = new Map([[box, 0]]);
  for (const [each, steps] of found) {
    if (steps >= most) continue;
    for (const next of way[each]) if (!found.has(next)) found.set(next, steps + 1);
  }
  return found;
}

// The items above or below an item, except those in its own box.
function itemsAlong(scene, way, item) {
  const [, ...boxes] = reach(way, scene.boxOf[item]).keys();
  return new Set(boxes.flatMap((box) => scene.boxes[box]));
}

// The boxes that a box covers among those kept.
function coversAmong(scene, from, kept) {
  const passed = new Set(), covers = [];
  for (const box of [...reach(scene.down, from).keys()].sort((a, b) => scene.y[b] - scene.y[a])) {
    const isKept = box !== from && kept.has(box);
    if (isKept && !passed.has(box)) covers.push(box);
    if (isKept || passed.has(box)) scene.down[box].forEach((next) => passed.add(next));
  }
  return covers;
}

// The scene of the boxes kept, at heights of its own.
function induced(scene, kept) {
  if (kept.size === scene.boxes.length) return scene;
  const boxes = [...kept].sort((a, b) => scene.y[b] - scene.y[a] || a - b);
  const number = new Map(boxes.map((box, k) => [box, k]));
  const of = (values) => boxes.map((box) => values[box]), depth = boxes.map(() => 0), lines = [];
  boxes.forEach((u, k) => {
    for (const v of coversAmong(scene, u, kept).map((box) => number.get(box))) {
      lines.push(k, v);
      depth[v] = Math.max(depth[v], depth[k] + 1);
    }
  });
  const deepest = Math.max(...depth);
  return prepared({ boxes: of(scene.boxes), kinds: of(scene.kinds),
    start: scene.x && of(scene.x), y: depth.map((each) => deepest - each), lines });
}

// What is above and below an item, within so many covers.
function inFocus(order, item, within) {
  const box = order.boxOf[item], most = within || Infinity;
  return induced(order, new Set([order.up, order.down].flatMap((way) => [...reach(way, box, most).keys()])));
}

let seen = {};

// What is drawn: an order, or the part of it in focus.
function viewOf({ stop, focus, within }) {
  const number = data.stops[stop].scene, key = JSON.stringify([number, focus, within]);
  if (key !== seen.key) {
    const order = placed(prepared(data.scenes[number]));
    const scene = focus === null ? order : inFocus(order, focus, within);
    seen = { key, order, scene: placed(scene) };
  }
  return seen;
}
