// In a frame, such as a cell of a notebook: which stop is shown and what is selected is told to the
// window around it whenever a reader changes it, and set when that window says so.

let isHearing = false;

function tell() {
  if (window.parent === window || isHearing) return;
  window.parent.postMessage({ porank: { stop: stopNumber, selected } }, "*");
}

window.addEventListener("message", ({ source, data: { porank: heard } }) => {
  if (!heard || source !== window.parent || source === window) return;
  isHearing = true;
  if (heard.stop !== stopNumber) goTo(heard.stop);
  select(heard.selected.filter((item) => item < nItems));
  isHearing = false;
});
