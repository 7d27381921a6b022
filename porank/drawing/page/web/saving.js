// The drawing as it is seen, as a file.

function drawingOf({ svg: seen, frame: { x, y, w, h } }) {
  const colors = getComputedStyle(document.documentElement);
  const value = (_, name) => colors.getPropertyValue(name).trim();
  const style = byId("diagram-style").textContent.replace(/var\((--[\w-]+)\)/g, value);
  const ground = { x, y, width: w, height: h, fill: value("", "--paper") };
  const size = { width: seen.clientWidth, height: seen.clientHeight, viewBox: [x, y, w, h].join(" ") };
  return drawn("svg", { xmlns: SVG, class: seen.getAttribute("class"), ...size },
    drawn("title", {}, data.title), drawn("style", {}, style), drawn("rect", ground),
    ...Array.from(seen.children, (layer) => layer.cloneNode(true)));
}

byId("save").addEventListener("click", () => {
  const text = new XMLSerializer().serializeToString(drawingOf(diagram));
  const words = plain(data.title).match(/[\p{L}\p{N}]+/gu) || ["order"];
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  element("a", { href: url, download: `${words.join("-").slice(0, 60)}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
});
