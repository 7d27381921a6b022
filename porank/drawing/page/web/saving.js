// The diagram as a file of its own: whole, in the colours that are seen, with its style inside.

function diagramText() {
  const bounds = boundsOf(shown.places);
  dress(1, bounds);
  const copy = diagram.cloneNode(true);
  redress();
  for (const name of ["id", "tabindex", "aria-describedby"]) copy.removeAttribute(name);
  for (const part of copy.querySelectorAll("[tabindex], [role]")) {
    part.removeAttribute("tabindex");
    part.removeAttribute("role");
  }
  copy.setAttribute("viewBox", [bounds.x, bounds.y, bounds.w, bounds.h].map(short).join(" "));
  copy.setAttribute("width", Math.round(bounds.w));
  copy.setAttribute("height", Math.round(bounds.h));
  const colors = getComputedStyle(document.documentElement);
  const value = (name) => colors.getPropertyValue(name).trim();
  const style = make("style", {}, byId("diagram-style").textContent
    .replace(/var\((--[\w-]+)\)/g, (_, name) => value(name)));
  const ground = make("rect", { x: bounds.x, y: bounds.y, width: bounds.w, height: bounds.h,
    fill: value("--paper") });
  copy.prepend(make("title", {}, data.title), style, ground);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}`;
}

function saveDiagram() {
  const url = URL.createObjectURL(new Blob([diagramText()], { type: "image/svg+xml" }));
  const link = element("a", null, { href: url, download: `${fileName(data.title)}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function fileName(title) {
  const plain = title.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return plain.slice(0, 60).toLowerCase() || "order";
}
