// What the reader has set and points at. A link keeps the settings.

const START = { stop: data.start, picked: [], focus: null, within: 2 };
let state = START, pointed = null, found = [];
const current = () => pointed ?? state.picked[0] ?? null;

// What is done when the settings change, or what the reader points at.
const follow = { settings: () => {}, pointer: () => {} };

function change(patch) {
  state = { ...state, ...patch };
  try {
    history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(state))}`);
  } catch {
    // Some frames have no address.
  }
  follow.settings();
}

// An address with invalid settings opens the page with the default settings.
function openAddress() {
  try {
    state = { ...START, ...JSON.parse(decodeURIComponent(location.hash.slice(1)) || "{}") };
    follow.settings();
  } catch {
    change(START);
  }
}

function changePointed(item, some = found) {
  [pointed, found] = [item, some];
  follow.pointer();
}
