// The settings of the reader: all that a link keeps and that Ctrl+Z undoes.

const hasTarget = data.target !== null;
const hasOverlay = hasTarget && nItems <= data.few;
const hasSlider = data.limits !== undefined;
const START = { stop: data.start, picked: [], focus: null, where: null, levels: [], between: [],
  other: null, over: false, at: null };
let state = START;
const past = [];

function stateOfAddress() {
  const found = { ...START };
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    if (key in START) found[key] = JSON.parse(text);
  }
  found.over &&= hasOverlay;
  if (found.focus && !(found.focus[2] >= 0)) found.focus = null;
  const { order, scene } = viewOf(found.stop, found), { x, y, w, h } = scene.bounds;
  const [across, down, scale] = found.at || [];
  const isSeen = scale >= 0.01 && scale <= NEAREST && across > x && across < x + w && down > y && down < y + h;
  found.at = isSeen ? found.at : null;
  found.levels = found.levels.filter((level) => order.boxes.some((_, box) => levelOf(order, box) === level));
  return found;
}

// An address with invalid settings opens the page with the default settings.
function openAddress() {
  try {
    state = stateOfAddress();
    panes[0].isFitted = !state.at;
    refresh();
  } catch {
    state = START;
    panes[0].isFitted = true;
    refresh();
  }
}

function addressOf(some) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(some)) {
    const text = JSON.stringify(value);
    if (text !== JSON.stringify(START[key])) parts.set(key, text);
  }
  return `#${parts}`;
}

// A move of the window replaces the previous one, so Ctrl+Z undoes choices instead of moves.
function change(patch, isMove = false) {
  const next = { ...state, ...patch };
  if (addressOf(next) === addressOf(state)) return;
  if (!isMove) past.push(state);
  settle(next, isMove);
}

function settle(next, isMove = false) {
  state = next;
  try {
    history.replaceState(null, "", addressOf(state));
  } catch {
    // Some frames have no address.
  }
  if (isMove) return;
  refresh();
}

function undo() {
  if (past.length) settle(past.pop());
}
