// The boxes shown, and the lines between them, after focus, filter and collapsing.

// The boxes next above and below each box of a scene, and the box of each item.
function prepared(scene) {
  if (scene.up) return scene;
  scene.up = scene.boxes.map(() => []);
  scene.down = scene.boxes.map(() => []);
  scene.boxOf = [];
  for (let k = 0; k < scene.lines.length; k += 2) {
    scene.down[scene.lines[k]].push(scene.lines[k + 1]);
    scene.up[scene.lines[k + 1]].push(scene.lines[k]);
  }
  scene.boxes.forEach((items, box) => items.forEach((item) => { scene.boxOf[item] = box; }));
  scene.levels = 1 + Math.max(0, ...scene.y);
  return scene;
}

const sceneAt = (stop) => prepared(data.scenes[data.stops[stop].scene]);
const levelOf = (scene, box) => scene.level ? scene.level[box] : scene.levels - scene.y[box];

// The boxes that can be reached from a box along lines, and the number of lines.
function reach(ways, box, most = Infinity) {
  const found = new Map([[box, 0]]);
  for (const [each, steps] of found) {
    if (steps >= most) continue;
    for (const way of ways) for (const next of way[each]) if (!found.has(next)) found.set(next, steps + 1);
  }
  return found;
}

const REACHES = {
  both: (scene, box, most) => [[scene.up], [scene.down]].flatMap((ways) => [...reach(ways, box, most).keys()]),
  above: (scene, box, most) => [...reach([scene.up], box, most).keys()],
  below: (scene, box, most) => [...reach([scene.down], box, most).keys()],
  around: (scene, box, most) => [...reach([scene.up, scene.down], box, most).keys()],
};

// The items above or below an item, except those in its own box.
function itemsAlong(scene, way, item) {
  const [, ...boxes] = reach([way], scene.boxOf[item]).keys();
  return new Set(boxes.flatMap((box) => scene.boxes[box]));
}

function boxesBetween(scene, u, v) {
  const [, ...under] = reach([scene.down], scene.boxOf[u]).keys();
  const over = reach([scene.up], scene.boxOf[v]);
  return under.filter((box) => over.has(box) && box !== scene.boxOf[v]);
}

const COLUMNS = {
  __proto__: null,
  "items above": (scene, item) => scene.above[scene.boxOf[item]],
  "items below": (scene, item) => scene.below[scene.boxOf[item]],
  lines: (scene, item) => scene.up[scene.boxOf[item]].length + scene.down[scene.boxOf[item]].length,
};
const valuesOf = (name) =>
  Object.hasOwn(data.columns, name) ? (_, item) => data.columns[name][item] : COLUMNS[name];
const TESTS = {
  ">=": (a, b) => a >= b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, "<": (a, b) => a < b,
  "=": (a, b) => a === b, "!=": (a, b) => a !== b,
};

// The test for ">= 3", "= red", or a part of a text; null if invalid. Numbers need a number.
function conditionOf([column, text], scene) {
  const [, sign, wanted] = /^\s*(>=|<=|!=|=|>|<)?\s*(.*?)\s*$/s.exec(text);
  const values = data.items.map((_, item) => valuesOf(column)(scene, item));
  const isNumeric = values.every((each) => each === null || typeof each === "number" || /^-?inf$/.test(each));
  const asNumber = (value) => Number(String(value).replace("inf", "Infinity"));
  const like = isNumeric ? asNumber : (value) => plain(String(value));
  if (/^[<>=!]|^$/.test(wanted) || Number.isNaN(like(wanted))) return null;
  const test = sign || isNumeric ? TESTS[sign || "="] : (value, part) => value.includes(part);
  return (item) => values[item] !== null && test(like(values[item]), like(wanted));
}

function keptBoxes(scene, { focus, where, levels, between }) {
  let kept = new Set(scene.boxes.keys());
  const keep = (test) => { kept = new Set([...kept].filter(test)); };
  if (focus) kept = new Set(REACHES[focus[1]](scene, scene.boxOf[focus[0]], focus[2] || Infinity));
  const fits = where && conditionOf(where, scene);
  if (fits) keep((box) => scene.boxes[box].some(fits));
  if (levels.length) keep((box) => !levels.includes(levelOf(scene, box)));
  for (const [u, v] of between) {
    const inside = new Set(boxesBetween(scene, u, v));
    keep((box) => !inside.has(box));
  }
  if (focus) kept.add(scene.boxOf[focus[0]]);
  return kept;
}

// The boxes that a box covers among those kept, and whether the line leads past hidden ones.
function coversAmong(scene, from, kept) {
  const passed = new Map([[from, 0]]), covers = [];
  for (const box of [...reach([scene.down], from).keys()].sort((a, b) => scene.y[b] - scene.y[a])) {
    const isKept = box !== from && kept.has(box), own = passed.get(box);
    if (isKept && own < 2) covers.push([box, own === 1]);
    const onward = box === from ? 0 : isKept ? 2 : Math.max(own, 1);
    for (const next of scene.down[box]) passed.set(next, Math.max(passed.get(next) || 0, onward));
  }
  return covers;
}

// The scene of the boxes kept: a few are placed by their longest chains, more keep their levels.
function induced(scene, kept) {
  if (kept.size === scene.boxes.length) return scene;
  const boxes = [...kept].sort((a, b) => scene.y[b] - scene.y[a] || a - b);
  const number = new Map(boxes.map((box, k) => [box, k]));
  const of = (values) => boxes.map((box) => values[box]), depth = boxes.map(() => 0), lines = [], past = [];
  boxes.forEach((u, k) => {
    for (const [v, isPast] of coversAmong(scene, u, kept)) {
      lines.push(k, number.get(v));
      past.push(isPast);
      depth[number.get(v)] = Math.max(depth[number.get(v)], depth[k] + 1);
    }
  });
  const heights = [...new Set(of(scene.y))].sort((a, b) => a - b), deepest = Math.max(0, ...depth);
  const y = boxes.length > data.few ? of(scene.y).map((each) => heights.indexOf(each))
    : depth.map((each) => deepest - each);
  return prepared({ boxes: of(scene.boxes), kinds: of(scene.kinds), above: of(scene.above), below: of(scene.below),
    start: scene.x && of(scene.x), y, lines, past, level: boxes.map((box) => levelOf(scene, box)) });
}

// The order's lines at the target's places; items of a single column are spread as in the order.
function overTarget(order) {
  const scene = prepared({ ...data.target, compared: order.against });
  const rows = Array.from({ length: scene.levels }, () => []);
  scene.y.forEach((y, box) => rows[y].push({ box, size: 1 }));
  if (scene.levels < 12 || Math.max(...rows.map((row) => row.length)) * 4 > scene.levels) return scene;
  const x = [], step = 1.5 * scene.levels / order.levels;
  for (const row of rows) spread(row, ({ box }) => -step * order.y[order.boxOf[scene.boxes[box][0]]]);
  for (const { box, x: place } of rows.flat()) x[box] = place;
  return { ...scene, x, rooms: null, bends: {}, places: null, isSpread: true };
}

const views = new Map();

// The content of a pane: the kept part of an order, or the order's lines at the target's places.
function viewOf(stop, { focus, where, levels, between, over }) {
  const key = JSON.stringify([data.stops[stop].scene, over || [focus, where, levels, between]]);
  if (!views.has(key)) {
    const order = placed(sceneAt(stop));
    const part = over ? order : induced(order, keptBoxes(order, { focus, where, levels, between }));
    const scene = over ? overTarget(order) : part;
    if (views.size > 40) views.clear();
    views.set(key, { key, order, part, scene: placed(scene) });
  }
  return views.get(key);
}
