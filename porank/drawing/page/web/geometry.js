// Names in the room there is, and the runs of lines: round corners softly, past items in bows.

const NAME_SIZE = 14, DOT_NAME_SIZE = 11.5, BOX_HEIGHT = 30, PADDING = 22, LINE_HEIGHT = 16;
const family = getComputedStyle(document.documentElement).getPropertyValue("--font");
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `${NAME_SIZE}px ${family}`;
const widths = new Map();

function widthOf(text) {
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
  return widths.get(text);
}

const JOINS = { item: "", tie: " ~ ", component: ", " };
const LISTED = 8;

function nameOf(scene, box) {
  const names = scene.boxes[box].map((item) => data.items[item]);
  const shown = names.length > LISTED ? names.slice(0, LISTED - 1) : names;
  if (names.length > LISTED) shown.push(`… ${names.length - shown.length} more`);
  return shown.join(JOINS[scene.kinds[box]]);
}

const signs = (text) => typeof Intl.Segmenter === "function"
  ? Array.from(new Intl.Segmenter().segment(text), (part) => part.segment)
  : Array.from(text);

function shortened(text, room) {
  if (widthOf(text) <= room) return text;
  const parts = signs(text);
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(`${parts.slice(0, middle).join("")}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${parts.slice(0, Math.max(low, 1)).join("").trimEnd()}…`;
}

// A name in two lines if it is too long for one, broken at a space where there is a good one.
function inLines(text, room) {
  if (widthOf(text) <= room) return [text];
  const parts = signs(text);
  let most = 0;
  while (most < parts.length && widthOf(parts.slice(0, most + 1).join("").trimEnd()) <= room) most++;
  if (most < 3) return [shortened(text, room)];
  let end = most;
  for (let k = most; k > most / 3 && end === most; k--) if (/[\s/_-]/.test(parts[k - 1])) end = k;
  return [parts.slice(0, end).join(""), shortened(parts.slice(end).join("").trimStart(), room)];
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

// The middle of a run, and which way it goes there.
function middleOf(points) {
  const steps = points.slice(1).map((point, k) => Math.hypot(point[0] - points[k][0],
    point[1] - points[k][1]));
  let rest = steps.reduce((sum, step) => sum + step, 0) / 2;
  let k = 0;
  while (k < steps.length - 1 && rest > steps[k]) rest -= steps[k++];
  const [from, to] = [points[k], points[k + 1]];
  return { point: toward(from, to, rest / (steps[k] || 1)), way: direction(from, to) };
}

function direction(from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
}

const BOWS = [0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5];
const BOWED = 400;

// A line that the layout knows nothing of: the bow, of nine, that meets few items on its way.
function bow(from, to, others) {
  const along = [to[0] - from[0], to[1] - from[1]], half = toward(from, to, 0.5);
  let best = half, least = Infinity;
  for (const share of others.length > BOWED ? [0] : BOWS) {
    const bend = [half[0] + 2 * share * along[1], half[1] - 2 * share * along[0]];
    let cost = 1.5 * Math.abs(share);
    for (const other of others) if (meets(from, bend, to, other)) cost++;
    if (cost < least) [best, least] = [bend, cost];
  }
  return best;
}

const onBow = (from, bend, to, t) => [0, 1].map((k) =>
  (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * bend[k] + t ** 2 * to[k]);

function meets(from, bend, to, other) {
  for (let t = 1; t < 16; t++) {
    const [x, y] = onBow(from, bend, to, t / 16);
    if (Math.abs(x - other.x) < other.half + 6 && Math.abs(y - other.y) < BOX_HEIGHT / 2 + 6) {
      return true;
    }
  }
  return false;
}

function arrowHead(point, way, size) {
  const tip = [point[0] + way[0] * size / 2, point[1] + way[1] * size / 2];
  const end = [point[0] - way[0] * size / 2, point[1] - way[1] * size / 2];
  const aside = [way[1] * size * 0.45, -way[0] * size * 0.45];
  return `M${at(tip)}L${at([end[0] + aside[0], end[1] + aside[1]])}` +
    `L${at([end[0] - aside[0], end[1] - aside[1]])}Z`;
}
