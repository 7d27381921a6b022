// Where boxes stand: a unit of the layout is as wide as names need. Of many items a wide level is
// folded into the rows of a band, and a long row of levels into lines like those of a text. What is
// preferred stands higher in any case.

const farthest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const allScenes = data.target ? [...data.scenes, data.target] : data.scenes;
const HIGHEST = 640, LOWEST = 50, MOST_ROWS = 80, FEW = 30;
const ROW = 58, LINE = 78, SLOPE = 26, LONG = 60;

// The diagram is to fill its window, without the edge and the buttons.
const FREE = (() => {
  const { width, height } = document.getElementById("diagram").getBoundingClientRect();
  return { width: Math.max(width - 44, 200), height: Math.max(height - 66, 200) };
})();
const RATIO = Math.min(2.5, Math.max(0.7, FREE.width / FREE.height));

// A long name goes into two lines.
const ONE_LINE = 130, roomFor = (text) => Math.max(Math.min(widthOf(text), ONE_LINE), 0.62 * widthOf(text));
const TWO_LINES = 64, READABLE = 0.6;
const leastUp = (levels) =>
  Math.min(84, Math.max(LOWEST, (FREE.height / READABLE - 72) / Math.max(levels - 1, 1)));

function neededBy(scenes) {
  const levels = scenes.reduce((most, scene) => Math.max(most, 1 + farthest(scene.y)), 1);
  const wanted = leastUp(levels) >= TWO_LINES ? roomFor : widthOf;
  let across = 64, widest = 1;
  for (const scene of scenes) {
    scene.boxes.forEach((_, box) => {
      const needed = (wanted(nameOf(scene, box)) + PADDING + 12) / Math.max(scene.rooms[box], 0.5);
      across = Math.min(240, Math.max(across, needed));
    });
    widest = Math.max(widest, 1 + 2 * farthest(scene.x));
  }
  return { across, widest, levels };
}

function sizesOf(scene) {
  const sizes = new Array(1 + farthest(scene.y)).fill(0);
  for (const y of scene.y) sizes[y]++;
  return sizes;
}

// Whether the boxes would be one bar where all are seen: too many side by side, or too many levels.
function kindOf(scene) {
  const { across, widest, levels } = neededBy([scene]);
  if (across * widest > 2 * HIGHEST * levels && Math.max(...sizesOf(scene)) > FEW) return "bands";
  return levels > LONG && LOWEST * levels > 3 * across * widest ? "lines" : "plain";
}

// One width for all stops that are not folded; the height is shared by the levels of each.
const acrossAll = neededBy(allScenes.filter((scene) => kindOf(scene) === "plain")).across;

function stretched(scene) {
  const { widest, levels } = neededBy([scene]), across = acrossAll;
  const up = Math.min(HIGHEST, Math.max(leastUp(levels), (across * widest) / RATIO / levels));
  return { kind: "plain", across, up, pitch: up, dot: 0.46 * Math.min(across, up) };
}

const columnOf = (scene) => scene.boxes.reduce((most, _, box) =>
  Math.min(200, Math.max(most, roomFor(nameOf(scene, box)) + PADDING + 14)), 90);

// The fewest rows to a band with which the diagram is no wider than a page.
function folded(scene) {
  const sizes = sizesOf(scene), { widest } = neededBy([scene]);
  let column = columnOf(scene), most = 1, bands, gap, wide;
  do {
    most++;
    bands = sizes.map((size) => ROW * Math.min(most, size));
    gap = Math.max(110, 0.5 * ROW * most);
    wide = RATIO * bands.reduce((sum, band) => sum + band + gap, 0);
  } while (most < MOST_ROWS && column * widest / most > wide);
  column = Math.max(column, wide * most / widest);
  const middles = [];
  let height = 0;
  bands.forEach((band, level) => {
    middles[level] = -(height + band / 2);
    height += band + gap;
  });
  return { kind: "bands", across: column / most, column, bands, middles, pitch: ROW * 2,
    dot: 0.42 * Math.sqrt(column * ROW), rows: rowsOf(scene, sizes, most) };
}

// Neighbours on a level come into different rows; how far each is from the middle of its band.
function rowsOf(scene, sizes, most) {
  const rows = [];
  sizes.forEach((size, level) => {
    const count = Math.min(most, size), step = stepOf(count);
    scene.y.map((y, box) => [y, box]).filter(([y]) => y === level).map(([, box]) => box)
      .sort((a, b) => scene.x[a] - scene.x[b])
      .forEach((box, k) => { rows[box] = ((k * step) % count - (count - 1) / 2) * ROW; });
  });
  return rows;
}

function stepOf(count) {
  const common = (a, b) => b ? common(b, a % b) : a;
  let step = Math.max(1, Math.round(0.382 * count));
  while (common(step, count) > 1) step--;
  return step;
}

// Levels one after the other, a little lower each, and from the end of a line to the next.
function inLongLines(scene) {
  const { widest, levels } = neededBy([scene]), column = columnOf(scene);
  const wide = column * widest + 20;
  const count = Math.max(2, Math.round(Math.sqrt(RATIO * levels * LINE / wide)));
  return { kind: "lines", across: column, column, wide, count, levels, pitch: LINE, dot: 0.42 * LINE };
}

const shapes = new Map();

function shapeOf(scene) {
  if (!shapes.has(scene)) {
    const kind = kindOf(scene);
    shapes.set(scene, kind === "bands" ? folded(scene) : kind === "lines" ? inLongLines(scene)
      : stretched(scene));
  }
  return shapes.get(scene);
}

// A point of the layout in the drawing; above or below a level by less than 1 is between two bands.
function placeAt(scene, x, y) {
  const shape = shapeOf(scene), low = Math.floor(y), share = y - low;
  if (shape.kind === "plain") return [x * shape.across, -y * shape.up];
  if (shape.kind === "bands") {
    const { bands, middles, across } = shape;
    if (!share) return [x * across, middles[y]];
    const [from, to] = [middles[low] - bands[low] / 2, middles[low + 1] + bands[low + 1] / 2];
    return [x * across, from + share * (to - from)];
  }
  const [below, above] = [startOf(shape, low), startOf(shape, share ? low + 1 : low)];
  return [x * shape.across + below[0] + share * (above[0] - below[0]), below[1] + share * (above[1] - below[1])];
}

// Where the middle of a level stands in the lines.
function startOf({ count, levels, wide }, y) {
  const number = levels - 1 - y, place = number % count, line = Math.floor(number / count);
  return [(place - (count - 1) / 2) * wide, line * LINE + place / (count - 1) * SLOPE];
}

function placeOf(scene, box) {
  const [x, y] = placeAt(scene, scene.x[box], scene.y[box]), { rows } = shapeOf(scene);
  return [x, rows ? y + rows[box] : y];
}

function roomOf(scene, box) {
  const { kind, across, column } = shapeOf(scene);
  if (kind === "plain") return across * Math.max(scene.rooms[box], 0.5) - PADDING - 10;
  return column - PADDING - 10;
}

const bounds = new Map();

function boundsOf(scene) {
  if (!bounds.has(scene)) bounds.set(scene, measured(scene));
  return bounds.get(scene);
}

function measured(scene) {
  if (!scene.boxes.length) return { x: -100, y: -60, w: 200, h: 120 };
  const points = scene.boxes.map((_, box) => placeOf(scene, box));
  for (const bends of Object.values(scene.bends)) {
    for (let k = 0; k < bends.length; k += 2) points.push(placeAt(scene, bends[k], bends[k + 1]));
  }
  const across = points.reduce((most, [x]) => Math.max(most, Math.abs(x)), 0);
  const [top, bottom] = points.reduce(([least, most], [, y]) => [Math.min(least, y), Math.max(most, y)],
    [Infinity, -Infinity]);
  const { across: own, column } = shapeOf(scene), side = Math.min(240, column || own) / 2 + 50;
  return { x: -across - side, y: top - 36, w: 2 * (across + side), h: bottom - top + 72 };
}

// Through a band a line runs straight down.
function pointsOf(scene, line) {
  const [u, v] = [scene.lines[2 * line], scene.lines[2 * line + 1]], { bands } = shapeOf(scene);
  const points = [placeOf(scene, u)], bends = scene.bends[line] || [];
  for (let k = 0; k < bends.length; k += 2) {
    const [x, y] = placeAt(scene, bends[k], bends[k + 1]), half = bands && bands[bends[k + 1]] / 2;
    if (half) points.push([x, y - half], [x, y + half]);
    else points.push([x, y]);
  }
  points.push(placeOf(scene, v));
  return points;
}
