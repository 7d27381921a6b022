// The data of a page, elements made of it, and whether the page is dark. Names are text, never HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const nItems = data.items.length;
const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const element = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

const counted = (number, singular) =>
  `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;
const say = (text) => { byId("voice").textContent = text; };

// In a frame like its surroundings, otherwise as the system is set, until the reader chooses.
function setDark(isDark) {
  document.documentElement.classList.toggle("dark", isDark);
  byId("theme").setAttribute("aria-pressed", String(isDark));
}

function isDarkAround() {
  const outer = (node) => node && (node.parentElement || node.getRootNode().host);
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  for (let node = outer(window.frameElement); node; node = outer(node)) {
    pixel.fillStyle = getComputedStyle(node).backgroundColor;  // in any colour space
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, solid] = pixel.getImageData(0, 0, 1, 1).data;
    if (solid) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

setDark(isDarkAround());
byId("theme").addEventListener("click", () => setDark(!document.documentElement.classList.contains("dark")));
