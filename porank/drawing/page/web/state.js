// What a reader has set: all that a link keeps, and that Ctrl+Z takes back.

const hasTarget = data.target !== null;
const hasOverlay = hasTarget && data.scenes.every((scene) => scene.against);
const hasSlider = data.thresholds !== undefined;
const START = { stop: data.start, picked: [], focus: null, where: null, levels: [], between: [],
  beside: null, over: false, at: null };
let state = START;
const past = [];

const isStop = (value) => value === null || value in data.stops;
const areItems = (value) => Array.isArray(value) &&
  value.every((item) => Number.isInteger(item) && item in data.items);
const SOUND = {
  stop: (value) => value !== null && isStop(value),
  picked: areItems,
  focus: (value) => value === null || (areItems([value[0]]) && value[1] in REACHES && value[2] >= 0),
  where: (value) => value === null || (valuesOf(value[0]) && typeof value[1] === "string"),
  levels: (value) => Array.isArray(value) && value.every(Number.isInteger),
  between: (value) => Array.isArray(value) && value.every((two) => areItems(two) && two.length === 2),
  beside: isStop,
  over: (value) => value === true && hasOverlay,
  at: (value) => value === null || (value.length === 3 && value.every(Number.isFinite)),
};

function stateOfAddress() {
  const found = { ...START };
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    try {
      const value = JSON.parse(text);
      if (SOUND[key](value)) found[key] = value;
    } catch {
      // An address that somebody has changed says nothing here.
    }
  }
  return found;
}

function addressOf(some) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(some)) {
    const text = JSON.stringify(value);
    if (text !== JSON.stringify(START[key])) parts.set(key, text);
  }
  return `#${parts}`;
}

// A move of the window replaces the one before it: Ctrl+Z takes back what was chosen.
function change(patch, isMove = false) {
  const next = { ...state, ...patch };
  if (addressOf(next) === addressOf(state)) return;
  if (!isMove) past.push(state);
  settle(next, isMove);
  if (!isMove) tell();
}

function settle(next, isMove = false) {
  state = next;
  try {
    history.replaceState(null, "", addressOf(state));
  } catch {
    // Some frames have no address.
  }
  if (!isMove) refresh();
}

function undo() {
  if (!past.length) return;
  settle(past.pop());
  tell();
  say("Undone");
}

// In a notebook the window around the frame hears what is shown and selected, and may set it.
let isHearing = false;

function tell() {
  if (window.parent === window || isHearing) return;
  window.parent.postMessage({ porank: { stop: state.stop, selected: state.picked } }, "*");
}

window.addEventListener("message", ({ source, data: { porank: heard } }) => {
  if (!heard || source !== window.parent || source === window) return;
  isHearing = true;
  change({ stop: heard.stop, picked: heard.selected.filter((item) => item < nItems) });
  isHearing = false;
});
