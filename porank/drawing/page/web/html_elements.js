// The data of a page, and elements made of it. Names are text, never HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const nItems = data.items.length;

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const element = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const counted = (number, singular) =>
  `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;
const say = (text) => { byId("voice").textContent = text; };
// Slides around a page turn on the page keys.
addEventListener("keydown", ({ key }) => {
  if (parent !== window && /^Page(Up|Down)$/.test(key)) parent.postMessage(key, "*");
});
