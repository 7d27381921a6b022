// A task on a diagram: choose pairs, a set or a sequence of items, see what it does, reveal an answer.
const task = JSON.parse(document.getElementById("task").textContent);
const find = (id) => document.getElementById(id);
const say = (text) => { find("message").textContent = text; };
const name = (item) => task.items[item];
const key = (u, v) => `${u} ${v}`;
const above = new Set(task.above.map(([u, v]) => key(u, v)));
const isAbove = (u, v) => above.has(key(u, v));
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;


// The diagram: a box for each item, a line for each pair that is drawn.
const make = (tag, attributes, parent) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent.append(element);
  return element;
};
const svg = find("diagram");
for (const kind of ["right", "wrong"]) {
  const tip = make("marker", { id: `${kind}-tip`, viewBox: "0 0 10 10", refX: 10, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" }, svg);
  make("path", { d: "M0 0 10 5 0 10z", class: kind }, tip);
}
const HALF = 9 + 9 * Math.max(...task.names.map((parts) => parts.length));
const wide = task.names.map((parts) => Math.max(18, 4.5 * Math.max(...parts.map((part) => part.length)) + 8));
const lines = new Map(task.lines.map(([u, v]) => {
  const [a, b] = [task.at[u], task.at[v]];
  return [key(u, v), make("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, svg)];
}));
const boxes = task.items.map((text, item) => {
  const [x, y] = task.at[item];
  const box = make("g", { tabindex: 0, role: "button", "aria-label": text, transform: `translate(${x} ${y})` }, svg);
  make("rect", { x: -wide[item], y: -HALF, width: 2 * wide[item], height: 2 * HALF, rx: 5 }, box);
  task.names[item].forEach((part, place, { length }) => {
    make("text", { y: 18 * place - 9 * (length - 1) }, box).textContent = part;
  });
  box.addEventListener("click", () => chosen?.(item));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); chosen?.(item); }
  });
  return box;
});
const mark = (items, kind) => boxes.forEach((box, item) => box.classList.toggle(kind, items.includes(item)));
// Parts that an answer names are numbered above their items.
const number = (parts) => {
  svg.querySelectorAll(".part").forEach((text) => text.remove());
  parts.forEach((part, place) => part.forEach((item) => {
    make("text", { class: "part", x: wide[item] - 6, y: -HALF - 10 }, boxes[item]).textContent = place + 1;
  }));
};
const margin = Math.max(...wide) + 4;
const xs = task.at.map(([x]) => x), ys = task.at.map(([, y]) => y);
const size = [Math.max(...xs) - Math.min(...xs) + 2 * margin, Math.max(...ys) - Math.min(...ys) + 2 * HALF + 26];
svg.setAttribute("viewBox", [Math.min(...xs) - margin, Math.min(...ys) - HALF - 20, ...size].join(" "));
svg.style.setProperty("--wide", `${size[0]}px`);

let picked = [], isRevealed = false, chosen, reveal, restart;
const release = () => { picked = []; mark(picked, "picked"); };

// Predict which pairs follow: each prediction is an arrow, and answered at once.
const pairs = () => {
  const missing = task.answer.map(([u, v]) => key(u, v));
  const arrows = new Map(), revealed = new Set();
  const show = (u, v) => {
    const [[x, y], [p, q]] = [task.at[u], task.at[v]];
    const far = Math.hypot(p - x, q - y);
    // Bent, so that it does not lie on the lines, as far as to the box, so that its head is seen.
    const [dx, dy] = [(x - p) / 2 - 28 * (q - y) / far, (y - q) / 2 - 28 * Math.abs(p - x) / far];
    const end = Math.min(wide[v] / Math.abs(dx), HALF / Math.abs(dy));
    const kind = isAbove(u, v) ? "right" : "wrong";
    arrows.set(key(u, v), make("polyline", { points: [x, y, p + dx, q + dy, p + end * dx, q + end * dy], class: kind, "marker-end": `url(#${kind}-tip)` }, svg));
    svg.prepend(arrows.get(key(u, v)));
  };
  const found = () => missing.filter((pair) => arrows.has(pair) && !revealed.has(pair)).length;
  const verdict = (u, v) => {
    // A wrong arrow goes at the next try.
    arrows.forEach((arrow, pair) => {
      if (arrow.matches(".wrong")) { arrow.remove(); arrows.delete(pair); }
    });
    if (lines.has(key(u, v))) return "There is a line for this pair already.";
    if (!arrows.has(key(u, v))) show(u, v);
    if (isAbove(u, v)) return `Right: ${name(u)} > ${name(v)} follows.`;
    return isAbove(v, u) ? `The other way round: ${name(v)} is above ${name(u)}.` : `It does not follow: no path of lines leads from ${name(u)} down to ${name(v)}.`;
  };
  const tell = (text = "") => say(`${text} ${found()} of ${counted(missing.length, "pair")} found.${found() === missing.length ? " Solved!" : ""}`);
  chosen = (item) => {
    picked = picked.includes(item) ? [] : [...picked, item];
    mark(picked, "picked");
    if (picked.length < 2) { tell(picked.length ? `${name(item)} above which item?` : ""); return; }
    const text = verdict(...picked);
    release();
    tell(text);
  };
  reveal = () => {
    task.answer.filter((pair) => !arrows.has(key(...pair))).forEach((pair) => { revealed.add(key(...pair)); show(...pair); });
    say(`You found ${found()} of ${counted(missing.length, "pair")} that follow. ${task.says}`);
  };
  restart = () => {
    arrows.forEach((arrow) => arrow.remove());
    arrows.clear(); revealed.clear(); tell();
  };
};

// Choose a set, and see whether it is an antichain or a chain.
const set = () => {
  const tell = () => {
    const clash = picked.flatMap((u) => picked.filter((v) => isAbove(u, v)).map((v) => [u, v]));
    const all = picked.length * (picked.length - 1) / 2;
    mark(picked, "picked");
    const kind = !picked.length ? "" : !clash.length ? "an antichain" : clash.length === all ? "a chain" : `neither a chain nor an antichain: ${name(clash[0][0])} > ${name(clash[0][1])}`;
    const isLargest = !clash.length && picked.length === task.answer.length;
    const is = (some) => picked.every((item) => some.includes(item));
    const verdict = !isLargest ? "" : is(task.given) ? " It is the one above: find another one."
      : isRevealed && is(task.answer) ? " It is the one revealed." : " Solved!";
    say(`${counted(picked.length, "item")}${picked.length > 1 ? `: ${kind}` : ""}.${verdict}`);
  };
  chosen = (item) => {
    picked = picked.includes(item) ? picked.filter((each) => each !== item) : [...picked, item];
    tell();
  };
  reveal = () => { mark(task.answer, "answer"); number(task.parts); say(task.says); };
  restart = () => { mark([], "answer"); number([]); tell(); };
};

// Items of one or two sequences: click one, and then its new place.
const sequence = () => {
  const rows = task.start.map((items) => {
    const row = document.createElement("div");
    find("work").append(row);
    return { row, items };
  });
  const found = new Set();
  const violated = ({ items }) => task.lines.filter(([u, v]) => items.indexOf(u) > items.indexOf(v));
  const tell = () => {
    const bad = [...new Set(rows.flatMap(violated).map((pair) => key(...pair)))];
    lines.forEach((drawn, pair) => drawn.classList.toggle("bad", bad.includes(pair)));
    const [first, ...others] = rows;
    if (!others.length) {
      if (!bad.length) found.add(first.items.join(" "));
      const verdict = bad.length ? `${counted(bad.length, "red line")}.` : "No line is red.";
      say(`${verdict} ${counted(found.size, "sequence")} found${found.size === task.total ? ". Solved: there are no others!" : " so far."}`);
      return;
    }
    const extra = task.items.flatMap((_, u) => task.items.map((_, v) => [u, v]))
      .filter(([u, v]) => rows.every(({ items }) => items.indexOf(u) < items.indexOf(v)) && !isAbove(u, v) && !isAbove(v, u));
    say(!bad.length && !extra.length ? "Solved! The pairs on which both agree are exactly those of the order."
      : `${counted(bad.length, "red line")}. Both agree, but the order leaves open: ${extra.map(([u, v]) => `${name(u)} > ${name(v)}`).join(", ") || "none"}.`);
  };
  const put = (each, items) => {
    each.items = items;
    each.row.replaceChildren(...items.map((item) => Object.assign(document.createElement("button"), { textContent: name(item), value: item })));
    tell();
  };
  rows.forEach((each) => each.row.addEventListener("click", ({ target }) => {
    const held = each.row.querySelector(".held");
    if (target === each.row) return;
    if (!held) { target.classList.add("held"); return; }
    const [item, place] = [held, target].map((button) => each.items.indexOf(Number(button.value)));
    put(each, each.items.toSpliced(item, 1).toSpliced(place, 0, each.items[item]));
    each.row.children[place].focus();
  }));
  const putAll = (all) => rows.forEach((each, place) => put(each, all[place]));
  // What is revealed was not found.
  reveal = () => { const before = [...found]; putAll(task.answer); found.clear(); before.forEach((each) => found.add(each)); say(task.says); };
  restart = () => { putAll(task.start); found.clear(); tell(); };
};

// On a slide, the page keys turn the slides while this page has the focus, too.
addEventListener("keydown", ({ key: pressed }) => {
  if (parent !== window && pressed.startsWith("Page")) parent.postMessage(pressed, "*");
});

({ pairs, set, sequence })[task.kind]();
find("reveal").addEventListener("click", () => { release(); isRevealed = true; reveal(); });
find("restart").addEventListener("click", () => { release(); isRevealed = false; restart(); });
restart();
