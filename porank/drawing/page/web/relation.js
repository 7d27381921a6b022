// The data of the page; all that follows is made of it.

const data = JSON.parse(document.getElementById("data").textContent);

// What stands above and below: sets of items are bits, 32 to a number.

const nItems = data.items.length;

const emptySet = () => new Uint32Array((nItems + 31) >> 5);
const has = (set, item) => (set[item >> 5] >>> (item & 31)) & 1;
const add = (set, item) => { set[item >> 5] |= 1 << (item & 31); };
const unite = (set, other) => { for (let k = 0; k < set.length; k++) set[k] |= other[k]; };

function members(set) {
  const found = [];
  for (let item = 0; item < nItems; item++) if (has(set, item)) found.push(item);
  return found;
}

// Along the lines, from the lowest box up for what is below, from the highest down for what is above.
function gathered(scene, from, to) {
  const { boxes, y, lines } = scene;
  const next = boxes.map(() => []);
  for (let k = 0; k < lines.length; k += 2) next[lines[k + from]].push(lines[k + to]);
  const sign = from === 0 ? 1 : -1;
  const sequence = boxes.map((_, box) => box).sort((a, b) => sign * (y[a] - y[b]));
  const reached = [];
  for (const box of sequence) {
    const set = emptySet();
    for (const other of next[box]) {
      unite(set, reached[other]);
      for (const item of boxes[other]) add(set, item);
    }
    reached[box] = set;
  }
  return { reached, next };
}

const relations = new Map();

function relationOf(scene) {
  if (!relations.has(scene)) {
    const down = gathered(scene, 0, 1), up = gathered(scene, 1, 0);
    const boxOf = [];
    scene.boxes.forEach((box, number) => box.forEach((item) => { boxOf[item] = number; }));
    relations.set(scene, {
      boxOf,
      below: (item) => down.reached[boxOf[item]],
      above: (item) => up.reached[boxOf[item]],
      next: down.next,
      previous: up.next,
      isAbove: (u, v) => has(down.reached[boxOf[u]], v),
    });
  }
  return relations.get(scene);
}

function count(set) {
  let total = 0;
  for (let word of set) {
    for (; word; word &= word - 1) total++;
  }
  return total;
}

// The first and the last rank that an item may have, as porank.rank_intervals tells them.
function possibleRanks(relation, item) {
  return [1 + count(relation.above(item)), nItems - count(relation.below(item))];
}

// The covers of either order, each in the class of its pair, as the target has it if it does.
function comparedLines(scene, target) {
  const order = relationOf(scene), truth = relationOf(target);
  const covers = new Map();
  for (let k = 0; k < target.lines.length; k += 2) {
    const [u, v] = [target.boxes[target.lines[k]][0], target.boxes[target.lines[k + 1]][0]];
    covers.set(u * nItems + v, k / 2);
  }
  for (let k = 0; k < scene.lines.length; k += 2) {
    for (const u of scene.boxes[scene.lines[k]]) {
      for (const v of scene.boxes[scene.lines[k + 1]]) {
        const key = truth.isAbove(v, u) ? v * nItems + u : u * nItems + v;
        if (!covers.has(key)) covers.set(key, -1);
      }
    }
  }
  return [...covers].map(([key, cover]) => {
    const u = Math.floor(key / nItems), v = key % nItems;
    return { u, v, cover, kind: classOf(order, truth, u, v) };
  });
}

function classOf(order, truth, u, v) {
  const said = order.isAbove(u, v) ? 1 : order.isAbove(v, u) ? -1 : 0;
  const is = truth.isAbove(u, v) ? 1 : truth.isAbove(v, u) ? -1 : 0;
  if (!is) return said ? "predicted_only" : "neither";
  return said === is ? "concordant" : said ? "discordant" : "target_only";
}
