// What is seen of the boxes at this scale: names in boxes; or dots, with as many names as have room.

const DOT_ROOM = 150;
let isDotted = false;

function dress(scale, frame) {
  const asDots = NAME_SIZE * scale < 8, beside = isNarrow(shown.places);
  const taken = newRoom(frame, scale), nodesNow = byImportance();
  let named = 0;
  if (asDots) for (const node of nodesNow) taken.addDot(node, radiusOf(node, scale));
  for (const node of nodesNow) {
    const { rect, mark } = node;
    if (!asDots) {
      place(rect, node.width, node.height, 7);
      setName(node, node.lines, NAME_SIZE);
      placeName(node, 0, 5 - LINE_HEIGHT / 2 * (node.lines.length - 1));
      mark.setAttribute("transform", `translate(${short(node.width / 2 + 8)} 4)`);
    } else {
      const radius = radiusOf(node, scale) / scale;
      place(rect, 2 * radius, 2 * radius, radius);
      const name = taken.nameFor(node, radius * scale, beside);
      if (name) named++;
      setName(node, name ? [name.text] : [], DOT_NAME_SIZE / scale);
      if (name) placeName(node, name.x / scale, name.y / scale);
      mark.setAttribute("transform", `translate(${short(radius + 6 / scale)} 0) scale(${1 / scale})`);
    }
    mark.textContent = node.state.includes("up") ? "▲" : node.state.includes("down") ? "▼" : "";
  }
  layers.nodes.classList.toggle("dots", asDots);
  isDotted = asDots;
  bringUp(asDots);
  return { asDots, named };
}

const standsOut = (node) => /chosen|up|down|found|selected|between/.test(node.state);
const isCrowded = () => nodes.size > 300;

// In pixels, and no more than there is room for between levels, or between the rows of a band.
function radiusOf(node, scale) {
  const { dot } = shapeOf(shown.places), most = isCrowded() ? 3.5 : 5;
  const radius = Math.max(1.8, Math.min(most, dot * scale));
  if (standsOut(node)) return Math.min(6, Math.max(4, 1.6 * radius));
  return node.state ? Math.min(2.5, radius) : radius;
}

// Dots that stand out lie over all others: copies of them, so that the focus stays where it is.
function bringUp(asDots) {
  layers.top.replaceChildren();
  layers.top.setAttribute("class", layers.nodes.getAttribute("class"));
  if (!asDots) return;
  for (const node of byImportance().reverse()) {
    if (!standsOut(node)) continue;
    const copy = node.g.cloneNode(true);
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
    copy.setAttribute("class", node.g.getAttribute("class").replace("node", "copy"));
    layers.top.append(copy);
  }
}

// Where levels have few items, names of dots stand beside them, and not in the way of the lines.
const isNarrow = (scene) => shapeOf(scene).kind === "plain" && !scene.isSpread &&
  Math.max(0, ...sizesOf(scene)) <= 2;

function place(rect, width, height, round) {
  const box = { x: -width / 2, y: -height / 2, width, height, rx: round };
  for (const [key, value] of Object.entries(box)) rect.setAttribute(key, Math.round(value * 100) / 100);
}

function setName(node, lines, size) {
  const { name } = node;
  const written = lines.join("\n");
  if (node.written !== written) {
    node.written = written;
    if (lines.length > 1) name.replaceChildren(...lines.map((line) => make("tspan", {}, line)));
    else name.textContent = written;
  }
  if (size === NAME_SIZE) name.removeAttribute("style");
  else name.style.fontSize = `${size}px`;
  name.classList.toggle("outside", size !== NAME_SIZE);
}

function placeName(node, x, y) {
  node.name.setAttribute("x", short(x));
  node.name.setAttribute("y", short(y));
  [...node.name.children].forEach((line, k) => {
    line.setAttribute("x", short(x));
    if (k) line.setAttribute("dy", LINE_HEIGHT);
  });
}

function byImportance() {
  const weight = (node) => (node.state.includes("chosen") ? 4 : 0) +
    (node.state.includes("found") ? 2 : 0) + (/up|down/.test(node.state) ? 1 : 0);
  return [...nodes.values()].sort((a, b) => weight(b) - weight(a) || inTurn(a, b));
}

// The room in the window: what is taken by dots and by names, in squares, to be found quickly.
function newRoom(frame, scale) {
  const SQUARE = 48, squares = new Map();
  const [wide, high] = [frame.w * scale, frame.h * scale];
  const onScreen = (node) => [(node.x - frame.x) * scale, (node.y - frame.y) * scale];
  const squaresOf = function* ({ left, right, top, bottom }) {
    for (let x = Math.floor(left / SQUARE); x * SQUARE <= right; x++) {
      for (let y = Math.floor(top / SQUARE); y * SQUARE <= bottom; y++) yield `${x} ${y}`;
    }
  };
  const take = (area) => {
    for (const square of squaresOf(area)) {
      if (!squares.has(square)) squares.set(square, []);
      squares.get(square).push(area);
    }
  };
  const isFree = (area, owner) => {
    for (const square of squaresOf(area)) {
      for (const other of squares.get(square) || []) {
        if (other.owner !== owner && other.left < area.right && area.left < other.right &&
          other.top < area.bottom && area.top < other.bottom) return false;
      }
    }
    return true;
  };
  return {
    addDot(node, radius) {
      const [x, y] = onScreen(node);
      if (x < -9 || y < -9 || x > wide + 9 || y > high + 9) return;
      take({ owner: node, left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
    },
    // The name, whole or shortened, that has room above or below the dot, and where; or null.
    nameFor(node, radius, beside) {
      const [x, y] = onScreen(node), ease = isCrowded() && !standsOut(node) ? 5 : 1;
      // Beside what stands out, the names of many others would hide it.
      if (ease > 1 && node.state) return null;
      if (x < 0 || y < 0 || x > wide || y > high) return null;
      const all = node.lines.join("");
      for (const text of new Set([all, shortened(all, DOT_ROOM)])) {
        const half = widthOf(text) * DOT_NAME_SIZE / NAME_SIZE / 2;
        // A name at the edge moves into the window.
        const middle = beside ? x - radius - 6 - half : Math.min(Math.max(x, half + 3), wide - half - 3);
        for (const base of beside ? [-4] : [-radius - 4, radius + 11]) {
          const area = { owner: node, left: middle - half - ease, right: middle + half + ease,
            top: y + base - 9 - ease, bottom: y + base + 3 + ease };
          if (area.top < 0 || area.bottom > high || area.left < 0 || !isFree(area, node)) continue;
          take(area);
          return { text, x: middle - x, y: base };
        }
      }
      return null;
    },
  };
}
