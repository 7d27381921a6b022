// Items come into a ranking one by one, each where halving it leads; equals share a level. An item
// that could not be placed is tried once more. Answers stand in the address: a page that is loaded
// anew, as phones do by themselves, goes on with them, if it asks for the same items.
const key = [...data.spelled.join("; ")].reduce((sum, letter) => (31 * sum + letter.codePointAt()) % 1e9, nItems);
const [begun, kept] = decodeURIComponent(location.hash.slice(1)).split(".");
const answers = begun === String(key) ? [...kept] : [];
const expected = Math.ceil(data.items.reduce((sum, _, k) => sum + Math.log2(k + 1), 0) - 1e-9);
let said = [], levels = [], aside = new Set();

function nextPair() {
  [said, levels, aside] = [[], [], new Set()];
  const queue = [...data.items.keys()], unknown = new Set();
  for (const [turn, item] of queue.entries()) {
    let low = 0, high = levels.length, sign = ">";
    while (low < high && sign !== "~" && sign !== "?") {
      const middle = Math.floor((low + high) / 2), other = levels[middle][0];
      const [u, v] = [data.spelled[item], data.spelled[other]], both = [item, other].sort().join();
      if (unknown.has(both)) sign = "?";
      else if ((sign = answers[said.length]) === undefined) return [item, other];
      else said.push({ ">": `${u} > ${v}`, "<": `${v} > ${u}`, "~": `${u} ~ ${v}`, "?": u }[sign]);
      if (sign === "?") unknown.add(both);
      if (sign === ">") high = middle;
      else low = middle + (sign === "<");
    }
    let left = sign === "?" ? item : null;
    if (sign === "~") levels[low].push(item);
    else if (left === null) levels.splice(low, 0, [item]);
    else if (turn < nItems && levels.flat().length === 1) [[left], levels] = [levels[0], [[item]]];
    aside.delete(item);
    if (left === null) continue;
    aside.add(left);
    if (turn < nItems) queue.push(left);
  }
  return null;
}

function show(sign) {
  if (sign === "u") answers.pop();
  else if (sign) answers.push(sign);
  const pair = nextPair(), text = [...data.spelled, ...said].join("; ");
  const names = (of) => [...of].map((k) => data.items[k]);
  history.replaceState(null, "", `#${key}.${encodeURIComponent(answers.join(""))}`);
  byId("asked").hidden = !pair;
  for (const k of [0, 1]) byId(`choice-${k}`).textContent = pair ? names(pair)[k] : "";
  byId("order").replaceChildren(...levels.map((level) => element("li", {}, names(level).join(" ~ "))));
  byId("aside").textContent = aside.size ? `Set aside: ${names(aside).join(", ")}` : "";
  filled(byId("save"), { href: `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}` }, []);
  const given = counted(answers.length, "answer");
  say(pair ? `${given} of some ${expected}. ${names(pair).join(" or ")}?`
    : `That was the last question. Save the order and send it, or send this text: ${text}`);
  if (sign && !pair) byId("save").focus();
}

document.querySelectorAll("[data-sign]").forEach((one) => one.addEventListener("click", () => show(one.dataset.sign)));
show();
