// The selection, or all that is shown, as a file: a drawing, a table, or porank's notation.

// If two or more boxes are selected, only these, otherwise what the first pane shows.
function selectedView() {
  const view = panes[0].view, boxes = new Set(state.picked.map((item) => view.order.boxOf[item]));
  if (boxes.size < 2) return view;
  const part = placed(induced(view.order, boxes));
  return { ...view, scene: part, part };
}

function drawingOf(view) {
  const stage = element("div", { class: "unseen" }, drawn("svg", { xmlns: SVG })), svg = stage.firstChild;
  const { bounds } = view.scene, scale = Math.min(1, 1800 / Math.max(bounds.w, bounds.h));
  filled(svg, { width: Math.round(bounds.w * scale), height: Math.round(bounds.h * scale) }, []);
  document.body.append(stage);
  const pane = newPane(svg), colors = getComputedStyle(document.documentElement);
  pane.draw(view);
  pane.look(bounds, true);
  pane.light(new Map(), []);
  stage.remove();
  const value = (_, name) => colors.getPropertyValue(name).trim();
  const style = byId("diagram-style").textContent.replace(/var\((--[\w-]+)\)/g, value);
  const ground = { x: bounds.x, y: bounds.y, width: bounds.w, height: bounds.h, fill: value("", "--paper") };
  svg.prepend(drawn("title", {}, data.title), drawn("style", {}, style), drawn("rect", ground));
  return svg;
}

const svgText = (view) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawingOf(view))}`;

async function pngOf(view) {
  const picture = new Image(), canvas = element("canvas");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(view))}`;
  await picture.decode();
  Object.assign(canvas, { width: 2 * picture.width, height: 2 * picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

const cell = (value) => /[",\r\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : String(value ?? "");

function csvOf({ part, order }) {
  const columns = Object.keys(data.columns), rows = part.boxes.flat().map((item) => {
    const box = order.boxOf[item];
    return [data.items[item], levelOf(order, box), 1 + order.above[box], nItems - order.below[box],
      ...columns.map((column) => data.columns[column][item])];
  });
  const head = ["item", "level", "best_rank", "worst_rank", ...columns];
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

// A statement for each line; boxes with several items are written as ties or as cycles.
function notationOf({ part }) {
  const spelled = (item) => data.spelled[item] ?? data.items[item], lines = [];
  const names = part.boxes.map((items, box) => {
    const own = items.map(spelled), isCycle = part.kinds[box] === "component";
    if (isCycle) lines.push([...own, own[0]].join(" > "));
    else if (!part.up[box].length && !part.down[box].length) lines.push(own.join(" ~ "));
    return isCycle ? own[0] : own.join(" ~ ");
  });
  for (let k = 0; k < part.lines.length; k += 2) {
    lines.push(`${names[part.lines[k]]} > ${names[part.lines[k + 1]]}`);
  }
  return `${lines.join("\n")}\n`;
}

const FORMATS = {
  svg: ["image/svg+xml", svgText], png: ["image/png", pngOf],
  csv: ["text/csv", csvOf], txt: ["text/plain", notationOf],
};

async function save(format) {
  const [type, write] = FORMATS[format], file = new Blob([await write(selectedView())], { type });
  const words = plain(data.title).match(/[\p{L}\p{N}]+/gu) || ["order"], url = URL.createObjectURL(file);
  element("a", { href: url, download: `${words.join("-").slice(0, 60)}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

document.querySelectorAll("[data-save]").forEach((made) =>
  made.addEventListener("click", () => save(made.dataset.save)));
