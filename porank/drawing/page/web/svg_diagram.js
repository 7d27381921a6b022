// A drawing of a view as SVG, and the window on it.

const NEAREST = 4, FITTED = 1.5, LEAST_SIZE = LABEL_SIZE - 2, EDGE = 22, HEAD = 36, TOOLS = 44;
const LEVELS = 60, SETTLED = 90, MOST_LABELS = 120, LAST = ["chosen", "picked", "found", "up", "down"];

function newDiagram(svg) {
  const layers = {}, nodes = new Map();
  svg.setAttribute("role", "listbox");
  for (const name of ["bands", "lines", "hot", "nodes", "labels"]) {
    svg.append(layers[name] = drawn("g", { class: name, ...name !== "nodes" && { "aria-hidden": "true" } }));
  }
  const diagram = { svg, view: null, frame: { x: 0, y: 0, w: 100, h: 100 }, isFitted: true, isDotted: false };
  let timer = null, size = null;

  // Reading the size is slow during a move, and it seldom changes.
  const sizeNow = () => size || (size = { width: svg.clientWidth || 800, height: svg.clientHeight || 600 });
  const scaleNow = () => sizeNow().width / diagram.frame.w;

  function draw(view) {
    const last = diagram.view, { scene } = diagram.view = view, old = new Map(nodes);
    nodes.clear();
    scene.boxes.forEach((items, box) => {
      const key = items.join(" "), node = old.get(key) || { items, state: "" };
      Object.assign(node, { box, kind: scene.kinds[box], half: scene.isFew ? scene.halves[box] : 0 });
      nodes.set(key, node);
      [node.x, node.y] = scene.places[box];
    });
    diagram.inTurn = [...nodes.values()].sort((a, b) => scene.y[b.box] - scene.y[a.box] || a.x - b.x);
    if (scene.isFew) diagram.inTurn.forEach(write);
    layers.nodes.replaceChildren(...scene.isFew ? diagram.inTurn.map((node) => node.g) : []);
    const many = scene.isFew ? [] : [drawn("path", { class: "dot", d: spots(diagram.inTurn) })];
    const folded = (scene.bands || []).filter(({ high }) => high);
    layers.bands.replaceChildren(...apartFrame(scene), ...folded.map(({ top, high }) => drawn("rect", { class: "band", rx: 9,
      x: scene.bounds.x + 20, y: top - 16, width: scene.bounds.w - 40, height: high + 32 })), ...many);
    const isSame = last && scene.isFew && String(last.scene.places) === String(scene.places);
    drawLines(view, isSame ? linesOf(last.scene) : null);
  }

  // Around items that are compared with none, if they are in a block.
  function apartFrame(scene) {
    const { apart = [], places, across } = scene;
    if (!apart.length || scene.base >= 0) return [];
    const xs = apart.map((box) => places[box][0]), ys = apart.map((box) => places[box][1]);
    const [left, top, wide] = [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs)];
    scene.caption = { x: left + wide / 2, y: top - 42 };
    return [drawn("rect", { class: "frame", rx: 9, x: left - across / 2, y: top - 34, width: wide + across,
      height: Math.max(...ys) - top + 68 })];
  }

  const spots = (some) => some.map(({ x, y }) => `M${short(x)} ${short(y)}h0`).join("");

  // The element of a box; if there are very many boxes, it is created when it is needed.
  function write(node) {
    const { scene } = diagram.view;
    node.g ||= drawn("g", { role: "option", id: `${svg.id}-${node.items[0]}` });
    node.g.setAttribute("transform", `translate(${at([node.x, node.y])})`);
    node.g.setAttribute("aria-label", spoken(diagram.view, node.items));
    if (scene.isFew) writeBox(node, scene);
    else layers.nodes.append(node.g);
    dressNode(node);
    return node.g;
  }

  function dressNode(node) {
    if (!node.g) return;
    node.g.setAttribute("class", `node ${node.kind} ${node.state}`);
    node.g.setAttribute("aria-selected", String(node.state.includes("picked")));
  }

  function writeBox(node, scene) {
    const lines = scene.names[node.box], high = BOX_HEIGHT + LINE_HEIGHT * (lines.length - 1);
    node.high = high / 2;
    node.g.replaceChildren(drawn("path", { class: "dot", d: "M0 0h0" }));
    const shape = { x: short(-node.half), y: -high / 2, width: short(2 * node.half), height: high, rx: 7 };
    const first = 5 - LINE_HEIGHT * (lines.length - 1) / 2;
    node.g.append(drawn("rect", { class: "box", ...shape }), drawn("text", { class: "name" },
      ...lines.map((line, k) => drawn("tspan", { x: 0, y: first + LINE_HEIGHT * k }, line))));
  }

  // So many lines would be a grey area, so only highlighted ones are drawn.
  // From a threshold to the next, lines that come and go fade.
  function drawLines({ scene }, before) {
    const lines = scene.isFew ? linesOf(scene) : [], courses = new Set(lines.map(({ path }) => path));
    const known = new Set((before || lines).map(({ path }) => path));
    const shown = lines.map((line) => known.has(line.path) ? line : { ...line, kind: `${line.kind} new` });
    const gone = [...known].filter((path) => !courses.has(path)).map((path) => ({ path, kind: "gone" }));
    const dots = (scene.spots || []).map(([x, y]) => ({ x, y }));
    layers.lines.replaceChildren(...joined([...shown, ...gone], "line base", "path"), ...joined(lines, "head base", "head"),
      ...dots.length ? [drawn("path", { class: "junction base", d: spots(dots) })] : []);
  }

  // The states of boxes, and the highlighted lines; all others are faded.
  function light(states, hot) {
    const { isFew } = diagram.view.scene, groups = {};
    for (const node of nodes.values()) {
      const state = states.has(node.box) ? states.get(node.box).join(" ") : "";
      if (state) (groups[LAST.find((name) => state.includes(name))] ||= []).push(node);
      if (state === node.state) continue;
      node.state = state;
      dressNode(node);
    }
    svg.classList.toggle("lit", Boolean(groups.chosen || groups.up || groups.down));
    const dots = isFew ? [] : [...LAST].reverse().filter((name) => groups[name])
      .map((name) => drawn("path", { class: `dot spot ${name}`, d: spots(groups[name]) }));
    layers.hot.replaceChildren(...joined(hot, "line", "path"), ...dots);
    if (isFew) dress();
    else rest();
  }

  function dress() {
    clearTimeout(timer);
    const scale = scaleNow(), { isFew } = diagram.view.scene;
    diagram.isDotted = !isFew || NAME_SIZE * scale < LEAST_SIZE;
    svg.classList.toggle("dotted", diagram.isDotted);
    svg.classList.toggle("many", diagram.view.scene.lines.length > 800);
    svg.classList.toggle("crowded", nodes.size > 600 && scale < 0.8);
    layers.labels.replaceChildren(...labelsAt(scale));
  }

  // Captions: sizes of levels, and names of dots without overlaps: highlighted ones first, then those with most lines.
  function labelsAt(scale) {
    const { scene } = diagram.view, taken = [], labels = [], { frame } = diagram, { width, height } = sizeNow();
    const put = (text, x, y, name, own) => {
      const half = halfOf(text) + 2;
      if (x < half || x > width - half || taken.some(([a, b, wide, high, node]) =>
        node !== own && Math.abs(x - a) < half + wide && Math.abs(y - 3 - b) < LABEL_SIZE / 2 + high)) return false;
      taken.push([x, y - 3, half, LABEL_SIZE / 2, null]);
      const place = { x: short(frame.x + x / scale), y: short(frame.y + y / scale) };
      const size = Math.round(100 * LABEL_SIZE / scale) / 100;
      labels.push(drawn("text", { class: `label ${name}`, ...place, "font-size": size }, text));
      return true;
    };
    for (const { top, high, size: many, level } of scene.bands || []) {
      const y = (top + high / 2 - frame.y) * scale, text = `level ${level} · ${many.toLocaleString("en")}`;
      if (y > 8 && y < height) put(text, 8 + halfOf(text), y + 4, "level");
    }
    const placeOf = ({ x, y }) => [(x - frame.x) * scale, (y - frame.y) * scale];
    if (scene.caption) put("in no decided pair", ...placeOf(scene.caption), "level");
    if (!diagram.isDotted) return labels;
    let tried = 0;
    const isLit = svg.classList.contains("lit"), isSeen = ({ x, y, state }) => (state || !isLit) &&
      Math.abs(x - frame.x - frame.w / 2) < frame.w / 2 && Math.abs(y - frame.y - frame.h / 2) < frame.h / 2;
    const weight = ({ state, box }) => scene.up[box].length + scene.down[box].length +
      (state ? 1e6 * (LAST.length - LAST.findIndex((name) => state.includes(name))) : 0);
    // Equal ones are spread evenly.
    const seen = diagram.inTurn.filter(isSeen);
    if (!svg.classList.contains("crowded")) taken.push(...seen.map((node) => [...placeOf(node), 4, 4, node]));
    const weighed = seen.map((node, k) => [weight(node) + (0.618 * k) % 1, node]);
    for (const [, node] of weighed.sort((a, b) => b[0] - a[0])) {
      const [x, y] = placeOf(node);
      const sign = node.state.includes("up") ? "▲ " : node.state.includes("down") ? "▼ " : "";
      const text = sign + shortened(scene.names[node.box].join(""), 150), half = halfOf(text) + 3;
      const middle = Math.min(Math.max(x, half), width - half);
      const places = [[x + half + 6, y + 4], [middle, y + LABEL_SIZE + 5], [middle, y - 7], [x - half - 6, y + 4]];
      places.some(([a, b]) => put(text, a, b, node.state, node));
      if (labels.length > MOST_LABELS || ++tried > 4 * MOST_LABELS) break;
    }
    return labels;
  }

  function look(frame, isNow = false) {
    Object.assign(diagram, { frame, isFitted: false });
    svg.setAttribute("viewBox", [frame.x, frame.y, frame.w, frame.h].map((value) => value.toFixed(2)).join(" "));
    (isNow ? dress : rest)();
  }

  // Names are placed when the window rests.
  function rest() {
    clearTimeout(timer);
    timer = setTimeout(dress, SETTLED);
  }

  function whole() {
    const { bounds, bands } = diagram.view.scene, { width, height } = sizeNow(), left = bands ? LEVELS : 0;
    const scale = Math.min((width - 2 * EDGE - left) / bounds.w, (height - HEAD - TOOLS) / bounds.h, FITTED);
    const [w, h] = [width / scale, height / scale];
    return { x: bounds.x + (bounds.w - w - left / scale) / 2, y: bounds.y + (bounds.h - h + (TOOLS - HEAD) / scale) / 2, w, h };
  }

  function fit() {
    look(whole(), true);
    diagram.isFitted = true;
  }

  function zoom(factor, across = 0.5, down = 0.5) {
    const { frame } = diagram, least = sizeNow().width / whole().w / 2;
    const ratio = scaleNow() / Math.min(NEAREST, Math.max(least, scaleNow() * factor));
    look({ x: frame.x + frame.w * across * (1 - ratio), y: frame.y + frame.h * down * (1 - ratio),
      w: frame.w * ratio, h: frame.h * ratio });
  }

  function pan(across, down) {
    look({ ...diagram.frame, x: diagram.frame.x - across / scaleNow(), y: diagram.frame.y - down / scaleNow() });
  }

  // Moves to an item if it is not visible and legible.
  function reveal(item) {
    const node = diagram.nodeOf(item), { frame } = diagram;
    if (!node) return;
    const edge = 40 / scaleNow(), isSeen = Math.abs(node.x - frame.x - frame.w / 2) < frame.w / 2 - edge &&
      Math.abs(node.y - frame.y - frame.h / 2) < frame.h / 2 - edge;
    if (isSeen && !(diagram.isDotted && scaleNow() < 1)) return;
    const scale = Math.max(scaleNow(), 1), [w, h] = [sizeNow().width / scale, sizeNow().height / scale];
    look({ x: node.x - w / 2, y: node.y - h / 2, w, h }, true);
  }

  // The nearest box or dot to a place on the screen, as far as a finger may miss it.
  function nodeAt(clientX, clientY) {
    const stage = svg.parentElement.getBoundingClientRect(), scale = scaleNow();
    const x = diagram.frame.x + (clientX - stage.left) / scale, y = diagram.frame.y + (clientY - stage.top) / scale;
    let nearest = null, least = (diagram.isDotted ? 20 : 8) / scale;
    for (const node of nodes.values()) {
      const [a, b] = diagram.isDotted ? [0, 0] : [node.half, node.high];
      const away = Math.hypot(Math.max(0, Math.abs(x - node.x) - a), Math.max(0, Math.abs(y - node.y) - b));
      if (away <= least) [nearest, least] = [node, away];
    }
    return nearest;
  }

  const nodeOf = (item) => nodes.get((diagram.view.scene.boxes[diagram.view.scene.boxOf[item]] || []).join(" "));
  new ResizeObserver(() => {
    size = null;
    if (diagram.view && svg.clientWidth) fit();
  }).observe(svg.parentElement);
  return Object.assign(diagram,
    { write, draw, light, fit, zoom, pan, reveal, nodeAt, nodeOf });
}

const halfOf = (text) => widthOf(text) * LABEL_SIZE / NAME_SIZE / 2;

// A path for each kind of line: what agrees is below what does not.
const UPWARDS = ["concordant", "target_only", "predicted_only", "discordant"];
function joined(lines, name, part) {
  const paths = {};
  for (const line of lines) if (line[part]) paths[line.kind] = (paths[line.kind] || "") + line[part];
  return Object.entries(paths).sort(([a], [b]) => UPWARDS.indexOf(a) - UPWARDS.indexOf(b)).map(([kind, d]) => drawn("path", { class: `${name} ${kind}`, d }));
}

// The lines of a scene, each with its ends, its kind and its path.
function linesOf(scene) {
  if (scene.drawnLines) return scene.drawnLines;
  const path = (k) => scene.isFew ? softPath(scene.runs[k])
    : `M${at(scene.places[scene.lines[2 * k]])}L${at(scene.places[scene.lines[2 * k + 1]])}`;
  const pairs = pairsOf(scene.drawn || scene.lines), [above, below] = [boxesAt(0), boxesAt(1)];
  // Of another threshold, lines have the course that the layout gives them, or one between the boxes.
  const course = (u, v, k) => scene.base >= 0 && scene.isFew && !scene.bends[k] ? freeBow(scene, u, v, 0).path : path(k);
  const own = ([u, v], k) => ({ u, v, above: above(u), below: below(v), path: course(u, v, k), kind: "plain" });
  scene.drawnLines = [...pairs.map(own), ...pairsOf(scene.beyond || []).map(beside)];
  return scene.drawnLines;

  // The boxes on one side of a node, past junctions alone: of a box, itself.
  function boxesAt(side) {
    const known = new Map(), of = (node) => {
      if (node < scene.boxes.length) return [node];
      if (!known.has(node)) {
        const next = pairs.filter((pair) => pair[1 - side] === node).flatMap((pair) => of(pair[side]));
        known.set(node, [...new Set(next)]);
      }
      return known.get(node);
    };
    return of;
  }

  // A line that the layout does not have; if it does not lead down, it has an arrow.
  function beside([u, v]) {
    const [from, to] = [scene.places[u], scene.places[v]];
    return { u, v, above: [u], below: [v], kind: "plain", ...freeBow(scene, u, v, from[1] < to[1] ? 0 : 1) };
  }
}

// The possible ranks of an item with so many items above and below it.
function ranksOf(above, below) {
  const [best, worst, n] = [1 + above, nItems - below, nItems].map((rank) => rank.toLocaleString("en"));
  return best === worst ? `Rank ${best} of ${n}` : `Ranks ${best} to ${worst} of ${n}`;
}

function spoken({ order, scene }, [item]) {
  const [above, below] = [order.up, order.down].map((way) => itemsAlong(order, way, item).size);
  return `${nameOf(scene, scene.boxOf[item])}: ${ranksOf(above, below).toLowerCase()}, ${above} above, ${below} below`;
}
