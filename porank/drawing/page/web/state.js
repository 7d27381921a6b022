// The settings of the reader, which a link keeps.

const hasTarget = data.target !== null;
const hasOverlay = hasTarget && nItems <= data.few;
const hasSlider = data.limits !== undefined;
const START = { stop: data.start, picked: [], focus: null, over: false };
let state = START;

// An address with invalid settings opens the page with the default settings.
function openAddress() {
  diagram.isFitted = true;
  try {
    state = { ...START, ...JSON.parse(decodeURIComponent(location.hash.slice(1)) || "{}") };
    state.over &&= hasOverlay;
    refresh();
  } catch {
    state = START;
    refresh();
  }
}

function change(patch) {
  state = { ...state, ...patch };
  try {
    history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(state))}`);
  } catch {
    // Some frames have no address.
  }
  refresh();
}
