// The places of boxes, the room for names, and the course of lines, independent of the window size.

const NAME_SIZE = 14, LABEL_SIZE = innerWidth < 500 ? 16 : 11.5, BOX_HEIGHT = 30, PADDING = 22, LINE_HEIGHT = 16, ONE_LINE = 130;
const DOT_PITCH = 46, ROW_PITCH = 30, LEVEL_GAP = 22, LEAST_RISE = 66, MOST_RISE = 240, HIGH = 1200;
// Diagrams have about the shape of the part of the window that is theirs.
const { clientWidth, clientHeight } = document.querySelector(".stage");
const RATIO = Math.min(2, Math.max(0.6, (clientWidth || 3) / (clientHeight || 2)));
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `${NAME_SIZE}px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
const widthOf = (text) => ruler.measureText(text).width;

const JOINS = { item: "", tie: " ~ ", component: ", " }, LISTED = 8;

function nameOf(scene, box) {
  const names = scene.boxes[box].map((item) => data.items[item]);
  if (names.length > LISTED) names.splice(LISTED - 1, Infinity, `… ${names.length - LISTED + 1} more`);
  return names.join(JOINS[scene.kinds[box]]);
}

// How many characters of a text fit.
function fitting(signs, room, end = "") {
  let most = signs.length;
  while (most && widthOf(signs.slice(0, most).join("").trimEnd() + end) > room) most--;
  return most;
}

const signsOf = (text) => Array.from(new Intl.Segmenter().segment(text), (part) => part.segment);

function shortened(text, room) {
  if (widthOf(text) <= room) return text;
  const signs = signsOf(text);
  return `${signs.slice(0, Math.max(1, fitting(signs, room, "…"))).join("").trimEnd()}…`;
}

// A name in two lines if it is too long for one, broken at a space where there is a good one.
function inLines(text, room) {
  if (widthOf(text) <= room) return [text];
  const signs = signsOf(text), most = fitting(signs, room);
  if (most < 3) return [shortened(text, room)];
  const space = signs.slice(0, most).findLastIndex((sign) => /[\s/_-]/.test(sign)) + 1;
  const end = space > most / 3 ? space : most;
  return [signs.slice(0, end).join(""), shortened(signs.slice(end).join("").trimStart(), room)];
}

// Boxes and bends of long lines are placed in rows, as near to their neighbours along lines as fits.
function arrange(scene) {
  const { apart = [] } = scene, spots = scene.y.map((y, box) =>
    ({ y, x: scene.start ? scene.start[box] : box, size: 1, next: [[], []] }));
  scene.bends = {};
  const join = (upper, lower) => {
    upper.next[1].push(lower);
    lower.next[0].push(upper);
  };
  for (let k = 0; k < scene.lines.length; k += 2) {
    let last = spots[scene.lines[k]];
    const end = spots[scene.lines[k + 1]], run = [];
    for (let y = last.y - 1; scene.isFew && y > end.y; y--) {
      const bend = { y, x: last.x, size: 0.4, next: [[], []] };
      join(last, bend);
      spots.push(bend);
      run.push(bend);
      last = bend;
    }
    join(last, end);
    scene.bends[k / 2] = run;
  }
  const rows = Array.from({ length: scene.rows }, () => []);
  spots.forEach((spot, k) => apart.includes(k) || rows[spot.y].push(spot));
  for (const row of rows) row.sort((a, b) => a.x - b.x).forEach((spot, k) => { spot.x = k - row.length / 2; });
  for (let sweep = 0; sweep < 8; sweep++) {
    const side = sweep % 2, mean = (spot) => {
      const some = spot.next[side];
      return some.length ? some.reduce((sum, other) => sum + other.x, 0) / some.length : spot.x;
    };
    for (const row of side ? rows : [...rows].reverse()) {
      const wanted = new Map(row.map((spot) => [spot, mean(spot)]));
      spread(row.sort((a, b) => wanted.get(a) - wanted.get(b)), (spot) => wanted.get(spot));
    }
  }
  scene.x = scene.boxes.map((_, box) => spots[box].x);
  for (const k in scene.bends) scene.bends[k] = scene.bends[k].flatMap(({ x, y }) => [x, y]);
  // Items compared with none are in a block at the right, as `page_layout` places them.
  const high = Math.max(2 * scene.rows - 1, Math.ceil(Math.sqrt(apart.length)));
  const left = Math.max(-1.5, ...scene.x.filter((_, box) => !apart.includes(box))) + 1.5;
  apart.forEach((box, k) => {
    scene.x[box] = left + Math.floor(k / high);
    scene.y[box] = scene.rows - 1 - k % high / 2;
  });
}

// Each as near to its wanted place as the gaps allow: the mean of packing from the left and the right.
function spread(row, wanted) {
  const gap = (k) => (row[k].size + row[k - 1].size) / 2, goal = row.map(wanted), left = [], right = [];
  for (let k = 0; k < row.length; k++) left[k] = k ? Math.max(goal[k], left[k - 1] + gap(k)) : goal[k];
  for (let k = row.length - 1; k >= 0; k--) {
    right[k] = k < row.length - 1 ? Math.min(goal[k], right[k + 1] - gap(k + 1)) : goal[k];
  }
  row.forEach((spot, k) => { spot.x = (left[k] + right[k]) / 2; });
}

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
  scene.rows = 1 + Math.ceil(Math.max(0, ...scene.y));
  return scene;
}

// A scene with the places of its boxes and lines in the drawing.
function placed(scene) {
  if (scene.places) return scene;
  const base = scene.base >= 0 ? placed(prepared(data.scenes[scene.base])) : scene;
  scene.isFew = scene.boxes.length <= data.few;
  if (!scene.x && base === scene) arrange(scene);
  if (scene.isFew) placeBoxes(scene, base);
  else if (base === scene) placeDots(scene);
  else Object.assign(scene, { places: base.places, bands: [], names: base.names });  // Levels differ.
  const spots = scene.places.length ? [...scene.places, ...(scene.runs || []).flat()] : [[0, 0]];
  const xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y);
  const side = scene.isFew ? scene.across / 2 + 20 : 60, left = Math.min(...xs), top = Math.min(...ys);
  scene.bounds = { x: left - side, y: top - 40,
    w: Math.max(...xs) - left + 2 * side, h: Math.max(...ys) - top + 80 };
  return scene;
}

// All thresholds have the places of one of them.
function placeBoxes(scene, base) {
  const names = scene.boxes.map((_, box) => nameOf(scene, box));
  const room = (box) => Math.max(scene.rooms ? scene.rooms[box] : 1, 0.5);
  const wanted = (text) => Math.max(Math.min(widthOf(text), ONE_LINE), 0.62 * widthOf(text)) + PADDING + 12;
  const span = 1 + Math.max(...base.x) - Math.min(...base.x), high = LEAST_RISE * scene.rows;
  const least = names.reduce((most, text, box) => Math.min(240, Math.max(most, wanted(text) / room(box))), 64);
  // Too high for names in boxes: as wide as the window, so that they have room beside dots.
  const filled = high < HIGH ? 0 : Math.min(2.5 * least, RATIO * high / span);
  const across = base !== scene ? base.across : Math.max(least, filled), wide = across * span;
  const up = Math.min(MOST_RISE, Math.max(LEAST_RISE, wide / RATIO / scene.rows)), at = (x, y) => [x * across, -y * up];
  Object.assign(scene, { across, rise: up });
  scene.names = names.map((text, box) => inLines(text, across * room(box) - PADDING - 10));
  scene.halves = scene.names.map((lines) =>
    Math.max(34, Math.max(...lines.map((line) => widthOf(line.trim()))) + PADDING) / 2);
  scene.places = scene.boxes.map((_, box) => at(scene.x[box], scene.y[box]));
  scene.runs = [];
  scene.spots = pairsOf(scene.dots || []).map(([x, y]) => at(x, y));
  const nodes = [...scene.places, ...scene.spots];
  pairsOf(scene.drawn || scene.lines).forEach(([u, v], k) => {
    const bends = pairsOf(scene.bends[k] || []).map(([x, y]) => at(x, y));
    scene.runs.push([nodes[u], ...bends, nodes[v]]);
  });
}

const pairsOf = (flat) => Array.from({ length: flat.length / 2 }, (_, k) => flat.slice(2 * k, 2 * k + 2));

// A level too wide for the page is folded into the rows of a band.
function placeDots(scene) {
  const rows = Array.from({ length: scene.rows }, () => []), most = Math.ceil(Math.sqrt(RATIO * scene.boxes.length));
  scene.y.forEach((y, box) => rows[scene.rows - 1 - y].push(box));
  scene.places = [];
  scene.bands = [];
  scene.names = scene.boxes.map((_, box) => [nameOf(scene, box)]);
  const foldsOf = (row) => Math.ceil(row.length / most), widest = Math.max(...rows.map((row) => row.length));
  const whole = rows.reduce((sum, row) => sum + foldsOf(row) * ROW_PITCH + LEVEL_GAP, 0);
  const pitch = Math.min(220, Math.max(DOT_PITCH, RATIO * whole / Math.min(most, widest)));
  let top = 0;
  rows.forEach((row, k) => {
    const folds = foldsOf(row), middle = (row.length - 1) / 2;
    row.sort((a, b) => scene.x[a] - scene.x[b]).forEach((box, place) => {
      scene.places[box] = [(place - middle) / folds * pitch, top + place % folds * ROW_PITCH];
    });
    const high = (folds - 1) * ROW_PITCH;
    scene.bands.push({ top, high, size: row.length, level: k + 1 });
    top += folds * ROW_PITCH + LEVEL_GAP;
  });
}

const short = (value) => Math.round(value * 10) / 10;
const at = (point) => `${short(point[0])} ${short(point[1])}`;
const toward = (from, to, share) => [0, 1].map((k) => from[k] + share * (to[k] - from[k]));

function softPath(points) {
  let path = `M${at(points[0])}`;
  for (let k = 1; k < points.length - 1; k++) {
    const [before, bend, after] = points.slice(k - 1, k + 2);
    path += `L${at(toward(bend, before, 0.35))}Q${at(bend)} ${at(toward(bend, after, 0.35))}`;
  }
  return `${path}L${at(points[points.length - 1])}`;
}

// The least bow that runs through no other box, or through the fewest.
function freeBow(scene, u, v, head) {
  const { places, halves = [], spots = [] } = scene, nodes = [...places, ...spots], [from, to] = [nodes[u], nodes[v]];
  const hits = (share) => {
    const bend = bendOf(from, to, share), steps = [...Array(24).keys()].map((k) => (k + 0.5) / 24);
    const points = steps.map((t) => toward(toward(from, bend, t), toward(bend, to, t), t));
    return places.filter(([x, y], box) => box !== u && box !== v && points.some(([a, b]) =>
      Math.abs(a - x) < (halves[box] || 0) + 3 && Math.abs(b - y) < BOX_HEIGHT / 2 + 3)).length;
  };
  const tried = [0, 0.14, 0.3, 0.5, 0.8, 1.2].flatMap((share) => [share, -share]).map((share) => [hits(share), share]);
  const [, best] = tried.reduce((one, other) => other[0] < one[0] ? other : one);
  return bow(from, to, best, head);
}

function bendOf(from, to, share) {
  const half = toward(from, to, 0.5);
  return [half[0] + share * (to[1] - from[1]), half[1] - share * (to[0] - from[0])];
}

// A bow to one side, for a line without an edge in the layout, with an arrow head in its middle.
function bow(from, to, share, head) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy) || 1;
  const bend = bendOf(from, to, share), tip = toward(toward(from, to, 0.5), bend, 0.5), size = 7 * head;
  const along = (a, b) => at([tip[0] + (a * dx - b * dy) / length, tip[1] + (a * dy + b * dx) / length]);
  return { path: `M${at(from)}Q${at(bend)} ${at(to)}`,
    head: head ? `M${along(size, 0)}L${along(-size, 6)}L${along(-size, -6)}Z` : "" };
}
