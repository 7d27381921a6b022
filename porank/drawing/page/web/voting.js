// Two items that the reader can compare start the ranking; the others are added one by one by binary
// insertion; equal items share a level. Answers are kept in the address: a page that is reloaded,
// as phones do on their own, continues with them if it has the same items. In a damaged address the
// first letter that is no answer, and answers to no question, end the answers.
const key = [...data.spelled.join("; ")].reduce((sum, letter) => (31 * sum + letter.codePointAt()) % 1e9, nItems);
const SIGNS = "><~?", [begun, kept = ""] = location.hash.slice(1).split(".");
const answers = begun === String(key) ? [.../^[0-3]*/.exec(kept)[0]].map((digit) => SIGNS[digit]) : [];
const expected = Math.ceil(data.items.reduce((sum, _, k) => sum + Math.log2(k + 1), 0) - 1e-9);
let statements = [], levels = [], aside = [];

// Questions are pairs of items, answers are signs.
function* sort() {
  const unknown = new Set(), items = [...data.items.keys()];
  for (let gap = 1; gap < nItems; gap++) {  // Neighbours first: one unknown item is in two of these pairs.
    for (let k = 0; k + gap < nItems && !levels.length; k++) {
      const sign = yield [k + gap, k];
      if (sign === "?") unknown.add(`${k + gap},${k}`);
      else levels = { ">": [[k + gap], [k]], "<": [[k], [k + gap]], "~": [[k, k + gap]] }[sign];
    }
  }
  for (const item of items.filter((k) => !levels.flat().includes(k))) {
    let low = 0, high = levels.length, sign = levels.length ? "" : "?";
    while (low < high && sign !== "~" && sign !== "?") {
      const middle = Math.floor((low + high) / 2), other = levels[middle][0];
      const both = `${Math.max(item, other)},${Math.min(item, other)}`;
      sign = unknown.has(both) ? "?" : yield [item, other];
      if (sign === ">") high = middle;
      if (sign === "<") low = middle + 1;
    }
    if (sign === "?") aside.push(item);
    else if (sign === "~") levels[Math.floor((low + high) / 2)].push(item);
    else levels.splice(low, 0, [item]);
  }
}

function nextPair() {
  [statements, levels, aside] = [[], [], []];
  const questions = sort();
  let { value: pair } = questions.next();
  while (pair && statements.length < answers.length) {
    const sign = answers[statements.length], [u, v] = pair.map((k) => data.spelled[k]);
    statements.push({ ">": `${u} > ${v}`, "<": `${v} > ${u}`, "~": `${u} ~ ${v}`, "?": u }[sign]);
    pair = questions.next(sign).value;
  }
  answers.length = statements.length;
  return pair;
}

function show(sign) {
  if (sign === "u") answers.pop();
  else if (sign) answers.push(sign);
  const pair = nextPair(), text = [...data.spelled, ...statements].join("; "), names = (of) => of.map((k) => data.items[k]);
  history.replaceState(null, "", `#${key}.${answers.map((each) => SIGNS.indexOf(each)).join("")}`);
  byId("asked").hidden = !pair;
  for (const k of [0, 1]) byId(`choice-${k}`).textContent = pair ? names(pair)[k] : "";
  byId("order").replaceChildren(...levels.map((level) => element("li", {}, names(level).join(" ~ "))));
  byId("aside").textContent = aside.length ? `Set aside: ${names(aside).join(", ")}` : "";
  filled(byId("save"), { href: `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}` }, []);
  say(pair ? `${counted(answers.length, "answer")} of about ${expected}. ${names(pair).join(" or ")}?`
    : `No more questions. Save the order and send it, or send this text: ${text}`);
  if (sign && !pair) byId("save").focus();
}

document.querySelectorAll("[data-sign]").forEach((one) => one.addEventListener("click", () => show(one.dataset.sign)));
show();
