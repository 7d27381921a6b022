// Items come into a ranking one by one, each where halving it leads; equals share a level.
const answers = [];
let said = [], levels = [];

function nextPair() {
  [said, levels] = [[], []];
  for (const item of data.items.keys()) {
    let low = 0, high = levels.length, sign = ">";
    while (low < high && sign !== "~" && sign !== "?") {
      const middle = Math.floor((low + high) / 2), other = levels[middle][0];
      const [u, v] = [data.spelled[item], data.spelled[other]];
      if ((sign = answers[said.length]) === undefined) return [item, other];
      said.push({ ">": `${u} > ${v}`, "<": `${v} > ${u}`, "~": `${u} ~ ${v}`, "?": u }[sign]);
      if (sign === ">") high = middle;
      else low = middle + (sign === "<");
    }
    if (sign === "~") levels[low].push(item);
    else if (sign !== "?") levels.splice(low, 0, [item]);
  }
  return null;
}

function show(sign) {
  if (sign === "u") answers.pop();
  else if (sign) answers.push(sign);
  const pair = nextPair(), text = [...data.spelled, ...said].join("; "), names = (of) => of.map((k) => data.items[k]);
  byId("asked").hidden = !pair;
  for (const k of [0, 1]) byId(`choice-${k}`).textContent = pair ? names(pair)[k] : "";
  byId("order").replaceChildren(...levels.map((level) => element("li", {}, names(level).join(" ~ "))));
  filled(byId("save"), { href: `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}` }, []);
  say(pair ? `${counted(answers.length, "answer")}. ${names(pair).join(" or ")}?` : text);
}

document.querySelectorAll("[data-sign]").forEach((one) => one.addEventListener("click", () => show(one.dataset.sign)));
show();
