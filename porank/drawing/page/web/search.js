// Items found by a part of their name, accents and capitals aside.

const search = byId("search");
let found = [], met = -1;

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const plainNames = data.items.map(plain);
const OFFERED = 8;

function find() {
  const wanted = plain(search.value.trim());
  const quality = (name) => name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  found = !wanted ? [] : plainNames.map((name, item) => [name, item])
    .filter(([name]) => name.includes(wanted))
    .sort((a, b) => quality(a[0]) - quality(b[0]) || a[1] - b[1])
    .map(([, item]) => item);
  met = -1;
  byId("count").textContent = !wanted ? "" : found.length ? `${found.length} found` : "none found";
  byId("hits").hidden = !wanted;
  byId("found").replaceChildren(...found.slice(0, OFFERED).map((item) => {
    const row = element("li");
    row.append(nameButton(item));
    return row;
  }));
  highlight();
}

search.addEventListener("input", find);
search.closest("search").addEventListener("focusout", (event) => {
  if (!event.currentTarget.contains(event.relatedTarget)) byId("hits").hidden = true;
});
search.addEventListener("focus", () => { byId("hits").hidden = !search.value.trim(); });
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !found.length) return;
  event.preventDefault();
  met = (met + (event.shiftKey ? found.length - 1 : 1)) % found.length;
  choose(found[met]);
  bringToNotice(nodeOf(found[met]));
});
