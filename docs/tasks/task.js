// A task on a diagram: choose pairs, a set or a sequence of items, see what it does, reveal an answer.
const task = JSON.parse(document.getElementById("task").textContent);
const find = (id) => document.getElementById(id);
const say = (text) => { find("message").textContent = text; };
const name = (item) => task.items[item];
const key = (u, v) => `${u} ${v}`;
const above = new Set(task.above.map(([u, v]) => key(u, v)));
const isAbove = (u, v) => above.has(key(u, v));
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

const onEnter = (element, act) => element.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
});
const toggled = (items, item) => items.includes(item) ? items.filter((each) => each !== item) : [...items, item];

// The diagram: a box for each item, a line for each pair that is drawn.
const SVG = "http://www.w3.org/2000/svg";
const make = (tag, attributes, parent) => {
  const element = document.createElementNS(SVG, tag);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent.append(element);
  return element;
};
const svg = find("diagram");
const HALF = 18;
const rowsOf = task.items.map((text) => text.split(" / "));
const wide = rowsOf.map((rows) => Math.max(HALF, ...rows.map((text) => 5 * text.length + 8)));
const line = ([u, v], kind = "") => {
  const [a, b] = [task.at[u], task.at[v]];
  const drawn = make("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: kind }, svg);
  svg.prepend(drawn);
  return drawn;
};
const lines = new Map(task.lines.map((pair) => [key(...pair), line(pair)]));
const boxes = task.items.map((text, item) => {
  const [x, y] = task.at[item];
  const box = make("g", { tabindex: 0, role: "button", "aria-label": text, transform: `translate(${x} ${y})` }, svg);
  make("rect", { x: -wide[item], y: -HALF, width: 2 * wide[item], height: 2 * HALF, rx: 5 }, box);
  const label = make("text", {}, box);
  rowsOf[item].forEach((row, place, { length }) => {
    make("tspan", { x: 0, y: 16 * (place - (length - 1) / 2) }, label).textContent = row;
  });
  box.addEventListener("click", () => chosen(item));
  onEnter(box, () => chosen(item));
  return box;
});
const mark = (items, kind) => boxes.forEach((box, item) => box.classList.toggle(kind, items.includes(item)));
// Parts that an answer names are numbered beside their items.
const number = (parts) => {
  svg.querySelectorAll(".part").forEach((text) => text.remove());
  parts.forEach((part, place) => part.forEach((item) => {
    make("text", { class: "part", x: wide[item] + 3, y: -HALF }, boxes[item]).textContent = place + 1;
  }));
};
const margin = Math.max(...wide) + 14;
const xs = task.at.map(([x]) => x), ys = task.at.map(([, y]) => y);
svg.setAttribute("viewBox", [
  Math.min(...xs) - margin, Math.min(...ys) - 30,
  Math.max(...xs) - Math.min(...xs) + 2 * margin, Math.max(...ys) - Math.min(...ys) + 60,
].join(" "));

let picked = [];
let chosen = () => {};
let reveal = () => {};
let restart = () => {};

// Predict which pairs follow. Once they are revealed, nothing can be predicted any more.
const pairs = () => {
  const guesses = new Map();
  let isRevealed = false;
  const tell = () => say(picked.length ? `${name(picked[0])} above which item?` : counted(guesses.size, "pair") + " predicted.");
  chosen = (item) => {
    if (isRevealed) return;
    picked = picked.includes(item) ? [] : [...picked, item];
    if (picked.length === 2) {
      const isStated = lines.has(key(...picked));
      const guess = key(...picked);
      if (guesses.has(guess)) { guesses.get(guess).remove(); guesses.delete(guess); }
      else if (!isStated) guesses.set(guess, line(picked, "guess"));
      picked = [];
      mark(picked, "picked");
      if (isStated) { say("There is a line for this pair already."); return; }
    }
    mark(picked, "picked");
    tell();
  };
  reveal = () => {
    if (isRevealed) return;
    isRevealed = true;
    picked = []; mark([], "picked");
    const right = new Set(task.answer.map((pair) => key(...pair)));
    let good = 0;
    for (const [guess, drawn] of guesses) {
      drawn.setAttribute("class", right.has(guess) ? "right" : "wrong");
      good += right.has(guess);
    }
    task.answer.filter((pair) => !guesses.has(key(...pair))).forEach((pair) => line(pair, "right").classList.add("shown"));
    say(`${good} of ${counted(right.size, "pair")} that follow predicted; ${guesses.size - good} predicted that do not follow (dotted). ${task.says}`);
  };
  restart = () => {
    svg.querySelectorAll("line.guess, line.right, line.wrong").forEach((drawn) => drawn.remove());
    guesses.clear(); isRevealed = false; picked = []; mark([], "picked"); tell();
  };
};

// Choose a set, and see whether it is an antichain or a chain.
const set = () => {
  const tell = () => {
    const clash = picked.flatMap((u) => picked.filter((v) => isAbove(u, v)).map((v) => [u, v]));
    const all = picked.length * (picked.length - 1) / 2;
    mark(picked, "picked");
    const kind = !picked.length ? "" : !clash.length ? "an antichain" : clash.length === all ? "a chain" : `neither a chain nor an antichain: ${name(clash[0][0])} > ${name(clash[0][1])}`;
    say(`${counted(picked.length, "item")}${picked.length > 1 ? `: ${kind}` : ""}.`);
  };
  chosen = (item) => {
    picked = toggled(picked, item);
    tell();
  };
  reveal = () => { mark(task.answer, "answer"); number(task.parts); say(task.says); };
  restart = () => { picked = []; mark([], "answer"); number([]); tell(); };
};

// Drag items of one or two sequences; arrow keys move the item that has the focus.
const sequence = () => {
  const rows = task.start.map((items) => {
    const row = document.createElement("ol");
    find("work").append(row);
    return { row, items: [...items] };
  });
  const found = new Set();
  const violated = ({ items }) => task.above.filter(([u, v]) => items.indexOf(u) > items.indexOf(v));
  const tell = () => {
    const bad = [...new Set(rows.flatMap(violated).map((pair) => key(...pair)))];
    lines.forEach((drawn, pair) => drawn.classList.toggle("bad", bad.includes(pair)));
    const [first, ...others] = rows;
    if (!others.length) {
      if (!bad.length) found.add(first.items.join(" "));
      const verdict = bad.length ? `${counted(bad.length, "pair")} the wrong way round.` : "A linear extension.";
      say(`${verdict} ${counted(found.size, "linear extension")} found so far.`);
      return;
    }
    const shared = task.items.flatMap((_, u) => task.items.map((_, v) => [u, v]))
      .filter(([u, v]) => rows.every(({ items }) => items.indexOf(u) < items.indexOf(v)) && !isAbove(u, v));
    const extra = shared.filter(([u, v]) => !isAbove(v, u));
    say(!bad.length && !extra.length ? "The pairs on which both agree are exactly those of the order."
      : `Against the order: ${counted(bad.length, "pair")}. Both agree, but the order leaves open: ${extra.map(([u, v]) => `${name(u)} > ${name(v)}`).join(", ") || "none"}.`);
  };
  const draw = ({ row, items }, focus) => {
    row.replaceChildren(...items.map((item) => {
      const entry = document.createElement("li");
      Object.assign(entry, { textContent: name(item), tabIndex: 0 });
      entry.dataset.item = item;
      return entry;
    }));
    if (focus !== undefined) row.querySelector(`[data-item="${focus}"]`).focus();
  };
  const move = (each, item, to) => {
    const items = each.items.filter((other) => other !== item);
    items.splice(Math.min(Math.max(to, 0), items.length), 0, item);
    each.items = items;
    draw(each, item);
    tell();
  };
  rows.forEach((each) => {
    each.row.addEventListener("keydown", (event) => {
      const item = Number(event.target.dataset.item);
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) { event.preventDefault(); move(each, item, each.items.indexOf(item) + step); }
    });
    each.row.addEventListener("pointerdown", (event) => {
      const entry = event.target.closest("li");
      if (!entry || event.button) return;
      event.preventDefault();
      const item = Number(entry.dataset.item);
      entry.classList.add("held");
      const place = (at) => {
        // Above or below the row, only the column counts.
        const row = each.row.getBoundingClientRect();
        const down = Math.min(Math.max(at.clientY, row.top + 1), each.row.lastChild.getBoundingClientRect().bottom - 1);
        const others = [...each.row.children].filter((other) => Number(other.dataset.item) !== item);
        return others.filter((other) => {
          const box = other.getBoundingClientRect();
          return box.bottom < down || (box.top <= down && box.left + box.width / 2 < at.clientX);
        }).length;
      };
      const drag = (at) => {
        const to = place(at);
        if (each.items.indexOf(item) !== to) { move(each, item, to); each.row.querySelector(`[data-item="${item}"]`).classList.add("held"); }
      };
      const drop = () => {
        removeEventListener("pointermove", drag);
        each.row.querySelectorAll(".held").forEach((held) => held.classList.remove("held"));
      };
      addEventListener("pointermove", drag);
      addEventListener("pointerup", drop, { once: true });
      addEventListener("pointercancel", drop, { once: true });
    });
  });
  const put = (all) => { rows.forEach((each, place) => { each.items = [...all[place]]; draw(each); }); tell(); };
  // What is revealed was not found.
  reveal = () => { const before = [...found]; put(task.answer); found.clear(); before.forEach((each) => found.add(each)); say(task.says); };
  restart = () => { found.clear(); put(task.start); };
};

// Choose objects of a context: what they share, which objects share that, and the concept they make.
const concept = () => {
  const { objects, attributes, has } = task.context;
  let isClicked = false;  // Whether a concept was clicked, which may have no objects.
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  head.append(document.createElement("td"), ...attributes.map((text) => Object.assign(document.createElement("th"), { textContent: text })));
  const body = table.createTBody();
  const rows = objects.map((text, object) => {
    const row = body.insertRow();
    const title = Object.assign(document.createElement("th"), { textContent: text, tabIndex: 0 });
    row.append(title, ...has[object].map((cell) => Object.assign(document.createElement("td"), { textContent: cell ? "×" : "" })));
    const toggle = () => { isClicked = false; picked = toggled(picked, object); tell(); };
    row.addEventListener("click", toggle);
    onEnter(title, toggle);
    return row;
  });
  find("work").append(table);
  const tell = () => {
    const isChosen = picked.length > 0 || isClicked;
    const shared = !isChosen ? [] : attributes.map((_, place) => place).filter((place) => picked.every((object) => has[object][place]));
    const extent = !isChosen ? [] : objects.map((_, place) => place).filter((object) => shared.every((place) => has[object][place]));
    const made = task.extents.findIndex((members) => members.join(" ") === extent.join(" "));
    rows.forEach((row, object) => {
      row.classList.toggle("picked", picked.includes(object));
      row.classList.toggle("also", extent.includes(object) && !picked.includes(object));
      [...row.cells].slice(1).forEach((cell, place) => cell.classList.toggle("picked", shared.includes(place)));
    });
    mark(isChosen ? [made] : [], "answer");
    if (!isChosen) { say("Nothing chosen yet."); return; }
    const names = (places, all) => places.map((place) => all[place]).join(", ") || "nothing";
    say(`${picked.length ? "Shared" : "Intent"}: ${names(shared, attributes)}. All objects with that: ${names(extent, objects)}.`);
  };
  chosen = (item) => { isClicked = true; picked = [...task.extents[item]]; tell(); };
  reveal = () => say(task.says);
  restart = () => { isClicked = false; picked = []; tell(); };
};

// On a slide, the page keys turn the slides while this page has the focus, too.
addEventListener("keydown", ({ key: pressed }) => {
  if (parent !== window && pressed.startsWith("Page")) parent.postMessage(pressed, "*");
});

({ pairs, set, sequence, concept })[task.kind]();
find("reveal").addEventListener("click", () => reveal());
find("restart").addEventListener("click", () => restart());
restart();
