// The data of a page, elements made of it, and whether the page is dark. Names are text, never HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const nItems = data.items.length;
const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

function button(act, ...parts) {
  const made = element("button", { type: "button" }, ...parts);
  made.addEventListener("click", act);
  return made;
}

const counted = (number, singular) => `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;
const say = (text) => { byId("voice").textContent = text; };

// As the system is set, until somebody turns it.
const darkness = matchMedia("(prefers-color-scheme: dark)");

function setDark(isDark) {
  document.documentElement.classList.toggle("dark", isDark);
  byId("theme").setAttribute("aria-pressed", String(isDark));
}

setDark(darkness.matches);
darkness.addEventListener("change", ({ matches }) => setDark(matches));
byId("theme").addEventListener("click", () => setDark(!document.documentElement.classList.contains("dark")));
