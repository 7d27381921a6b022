// Which part of the diagram is seen: the viewBox, moved by mouse, touch and keys.

let frame = { x: 0, y: 0, w: 100, h: 100 };
let isFitted = true;
const NEAREST = 3, FITTED = 1.5, TOP_EDGE = 22, TOOLS = 44, EDGE = 60;

// To ask for the size takes long while things move, and it seldom changes.
let size = null;

function stageSize() {
  if (size === null) {
    const { width, height } = diagram.getBoundingClientRect();
    size = { width: width || 800, height: height || 600 };
  }
  return size;
}

const scaleNow = () => stageSize().width / frame.w;

function look(next) {
  frame = next;
  diagram.setAttribute("viewBox", [frame.x, frame.y, frame.w, frame.h].map(short).join(" "));
  schedule();
}

let isScheduled = false;

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    if (!printed) redress();
  });
}

function redress() {
  const { asDots, named } = dress(scaleNow(), frame);
  const note = document.getElementById("note");
  note.hidden = !asDots || named >= nodes.size;
  note.textContent = note.hidden ? "" : "Dots: zoom in for names";
}

// The part that shows all in a window of that size, with room for the buttons at the bottom.
function framed(width, height, bottom) {
  const bounds = boundsOf(shown.places), free = height - TOP_EDGE - bottom;
  const scale = Math.min((width - 2 * TOP_EDGE) / bounds.w, free / bounds.h, FITTED);
  const [w, h] = [width / scale, height / scale];
  const y = bounds.y + (bounds.h - h + (bottom - TOP_EDGE) / scale) / 2;
  return { x: bounds.x + (bounds.w - w) / 2, y, w, h };
}

function fit() {
  const { width, height } = stageSize();
  isFitted = true;
  look(framed(width, height, TOOLS));
}

function zoom(factor, across = 0.5, down = 0.5) {
  const scale = scaleNow(), bounds = boundsOf(shown.places), { width, height } = stageSize();
  const least = Math.min(width / bounds.w, height / bounds.h, FITTED) / 2;
  const wanted = Math.min(NEAREST, Math.max(least, scale * factor));
  const ratio = scale / wanted;
  isFitted = false;
  look({
    x: frame.x + frame.w * across * (1 - ratio),
    y: frame.y + frame.h * down * (1 - ratio),
    w: frame.w * ratio,
    h: frame.h * ratio,
  });
}

function pan(across, down) {
  isFitted = false;
  look({ ...frame, x: frame.x - across / scaleNow(), y: frame.y - down / scaleNow() });
}

function centre(node, scale = scaleNow()) {
  const { width, height } = stageSize(), bounds = boundsOf(shown.places), edge = EDGE / scale;
  const [w, h] = [width / scale, height / scale];
  isFitted = false;
  look({ x: windowStart(node.x, w, bounds.x - edge, bounds.w + 2 * edge),
    y: windowStart(node.y, h, bounds.y - edge, bounds.h + 2 * edge), w, h });
}

// Where a window begins that has a place in its middle, as far as it stays within a range.
function windowStart(middle, extent, low, range) {
  if (extent >= range) return low + (range - extent) / 2;
  return Math.min(Math.max(middle - extent / 2, low), low + range - extent);
}

// Where names can be read the window moves only if it must.
function bringToNotice(node) {
  if (isDotted) centre(node, Math.max(scaleNow(), 0.9));
  else bringIntoSight(node);
}

function bringIntoSight(node) {
  const edge = EDGE / scaleNow();
  const isSeen = node.x > frame.x + edge && node.x < frame.x + frame.w - edge &&
    node.y > frame.y + edge / 2 && node.y < frame.y + frame.h - edge / 2;
  if (!isSeen) centre(node);
}

const touches = new Map();
let dragged = 0;

function spread() {
  const [one, other] = [...touches.values()];
  return Math.hypot(one.x - other.x, one.y - other.y);
}

diagram.addEventListener("pointerdown", (event) => {
  if (event.button > 0) return;
  touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  dragged = 0;
});
diagram.addEventListener("pointermove", (event) => {
  const last = touches.get(event.pointerId);
  if (!last) return;
  const before = touches.size === 2 ? spread() : 0;
  const [across, down] = [event.clientX - last.x, event.clientY - last.y];
  dragged += Math.abs(across) + Math.abs(down);
  touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (touches.size === 2) {
    zoom(spread() / (before || 1));
  } else if (dragged > 4) {
    if (!diagram.hasPointerCapture(event.pointerId)) diagram.setPointerCapture(event.pointerId);
    diagram.classList.add("dragging");
    pan(across, down);
  }
});
for (const name of ["pointerup", "pointercancel"]) {
  diagram.addEventListener(name, (event) => {
    touches.delete(event.pointerId);
    diagram.classList.remove("dragging");
  });
}
diagram.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = diagram.getBoundingClientRect();
  const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016));
  zoom(factor, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
}, { passive: false });
