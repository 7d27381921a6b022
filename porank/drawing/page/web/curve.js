// The trade-off curve, or without a target how many pairs each threshold decides; and where we are.

const WIDE = 310, HIGH = 170, RIGHT = 298, TOP = 12, FLOOR = 136;

// The places in the chart, one for each stop, null where nothing is defined.
const chartPoints = data.stops.map(({ alpha, value, pairs, completeness, correctness }) => {
  const point = hasTarget ? [completeness, correctness] : [value, pairs];
  return alpha === null || point.includes(null) ? null : point;
});

function drawCurve() {
  const points = chartPoints.filter(Boolean), curve = byId("curve");
  byId("curve-part").hidden = !points.length;
  if (!points.length) return;
  const [sides, tops] = [0, 1].map((k) => points.map((point) => point[k]));
  const high = Math.max(hasTarget ? -1 : 1, ...tops), low = hasTarget ? Math.min(high - 0.2, ...tops) : 0;
  const first = hasTarget ? 0 : Math.min(0.5, ...sides);
  const tick = (value) => Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(2);
  const left = 26 + Math.max(...[low, high].map((value) => 0.8 * widthOf(tick(value))));
  const x = (value) => short(left + (value - first) / (1 - first) * (RIGHT - left));
  const y = (value) => short(FLOOR - (value - low) / (high - low) * (FLOOR - TOP));
  const text = (words, place) => drawn("text", { class: "tick", "text-anchor": "middle", ...place }, words);
  const [across, up] = hasTarget ? ["completeness", "correctness"] : ["threshold", "pairs decided"];
  // Between two degrees a threshold cuts at the higher one.
  const step = ([a, b], k) => !k ? `M${x(a)} ${y(b)}` : hasTarget ? `L${x(a)} ${y(b)}` : `V${y(b)}H${x(a)}`;
  filled(curve, { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-label": `${up} against ${across}` }, [
    drawn("path", { class: "axis", d: `M${left} ${TOP}V${FLOOR}H${RIGHT}`, fill: "none" }),
    drawn("path", { class: "run", d: points.map(step).join("") }),
    ...[first, 1].map((value) => text(tick(value), { x: x(value), y: FLOOR + 14 })),
    ...[low, high].map((value) => text(tick(value), { x: left - 5, y: y(value) + 4, "text-anchor": "end" })),
    text(across, { x: (left + WIDE) / 2, y: HIGH - 6 }),
    text(up, { transform: `translate(10 ${(TOP + FLOOR) / 2}) rotate(-90)` })]);
  chartPoints.forEach((point, k) => {
    if (!point) return;
    const stop = drawn("circle", { class: data.stops[k].dropped ? "stop dropped" : "stop", r: 3.5,
      cx: x(point[0]), cy: y(point[1]), "data-stop": k });
    stop.addEventListener("click", () => change({ stop: k }));
    curve.append(stop);
  });
  const area = data.area === null ? "" : `Area ${data.area.toFixed(3)}. `;
  byId("curve-caption").textContent = hasTarget ? `${area}To the left thresholds grow, and less is decided.` : "";
}

function showThreshold(stop) {
  byId("threshold").value = state.stop;
  byId("threshold").setAttribute("aria-valuetext", stop.title);
  byId("alpha").textContent = stop.alpha ?? stop.title;
  byId("beside").value = state.beside ?? "";
  byId("said").textContent = stop.told;
  const isHere = (made) => Number(made.dataset.stop) === state.stop;
  byId("curve").querySelectorAll(".stop").forEach((made) => made.classList.toggle("here", isHere(made)));
}
