// The order laid over the target: where items stand then, and the lines of both.

const LEAST_SCALE = 8 / NAME_SIZE, NARROW = 0.4;
const spreads = new Map();

// A target that is tall and narrow would be a needle in which all lines lie over each other. There
// items stand as high as the target has them, and from left to right as the order does.
function placesInTarget(scene) {
  if (!isNeedle(data.target)) return data.target;
  if (!spreads.has(scene)) spreads.set(scene, farthest(scene.y) ? spreadOut(scene) : data.target);
  return spreads.get(scene);
}

function isNeedle(target) {
  const { w, h } = boundsOf(target), scale = FREE.height / h;
  return shapeOf(target).kind === "plain" && scale < LEAST_SCALE && w * scale < NARROW * FREE.width;
}

function spreadOut(scene) {
  const { target } = data, { levels } = neededBy([target]), { boxOf } = relationOf(scene);
  const high = farthest(scene.y), wide = RATIO * leastUp(levels) * levels / acrossAll - 2;
  const step = Math.max(1, wide / high);
  const x = target.boxes.map(([item]) => (high / 2 - scene.y[boxOf[item]]) * step);
  for (let y = 0; y < levels; y++) {
    const row = x.map((_, box) => box).filter((box) => target.y[box] === y).sort((a, b) => x[a] - x[b] || a - b);
    for (let k = 1; k < row.length; k++) x[row[k]] = Math.max(x[row[k]], x[row[k - 1]] + 1);
  }
  return { ...target, x, bends: {}, isSpread: true };
}

const comparisons = new Map();

function overlaidLines(scene, target) {
  if (!comparisons.has(scene)) {
    const lines = comparedLines(scene, target), isMany = lines.length > MANY, size = isMany ? 9 : 13;
    for (const line of lines) {
      const run = line.cover >= 0 && !target.isSpread ? pointsOf(target, line.cover)
        : bowedRun(target, line, isMany ? [] : othersOf(target, line));
      line.path = run.path || softPath(run);
      if (line.kind === "predicted_only" || line.kind === "discordant") {
        const { point, way } = run.middle || middleOf(run);
        const turn = line.kind === "discordant" ? -1 : 1;
        line.head = arrowHead(point, [turn * way[0], turn * way[1]], size);
      }
    }
    comparisons.set(scene, lines);
  }
  return comparisons.get(scene);
}

// Where lines are too many to be followed one by one, they are straight.
function othersOf(target, line) {
  const others = [];
  target.boxes.forEach((_, box) => {
    if (box === line.u || box === line.v) return;
    const [x, y] = placeOf(target, box);
    others.push({ x, y, half: boxWidth(target, box) / 2 });
  });
  return others;
}

function bowedRun(target, line, others) {
  const from = placeOf(target, line.u), to = placeOf(target, line.v);
  const bend = bow(from, to, others);
  const middle = { point: onBow(from, bend, to, 0.5), way: direction(from, to) };
  return { path: `M${at(from)}Q${at(bend)} ${at(to)}`, middle };
}
