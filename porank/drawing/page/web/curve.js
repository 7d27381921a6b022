// The trade-off curve, or without a target how many pairs each threshold decides; and where we are.

const WIDE = 310, HIGH = 170, LEFT = 40, RIGHT = 12, TOP = 12, BOTTOM = 34;
const curve = byId("curve");
const hasTarget = data.target !== null;

// The places in the chart, one for each stop, null where nothing is defined.
const chartPoints = data.stops.map((stop) => {
  if (stop.alpha === null) return null;
  if (!hasTarget) return [stop.value, stop.pairs];
  return stop.correctness === null || stop.completeness === null ? null
    : [stop.completeness, stop.correctness];
});

const chart = (() => {
  const drawn = chartPoints.filter(Boolean);
  if (!drawn.length) return null;
  const tops = drawn.map((point) => point[1]);
  const sides = drawn.map((point) => point[0]);
  const high = hasTarget ? Math.max(...tops) : Math.max(1, ...tops);
  const low = hasTarget ? Math.min(high - 0.2, ...tops) : 0;
  const first = hasTarget ? 0 : Math.min(...sides, 0.5), last = 1;
  const x = (value) => LEFT + (value - first) / (last - first) * (WIDE - LEFT - RIGHT);
  const y = (value) => HIGH - BOTTOM - (value - low) / (high - low) * (HIGH - TOP - BOTTOM);
  return { drawn, high, low, first, last, x, y };
})();

function drawCurve() {
  byId("curve-part").hidden = !chart;
  if (!chart) return;
  const { drawn, high, low, first, last, x, y } = chart;
  curve.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  const floor = HIGH - BOTTOM;
  make("path", { class: "axis", d: `M${LEFT} ${TOP}V${floor}H${WIDE - RIGHT}`, fill: "none" }, null, curve);
  for (const value of [first, last]) {
    make("text", { class: "tick", x: x(value), y: floor + 14, "text-anchor": "middle" }, tick(value), curve);
  }
  for (const value of [low, high]) {
    make("text", { class: "tick", x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, tick(value), curve);
  }
  const [across, up] = hasTarget ? ["completeness", "correctness"] : ["threshold", "pairs decided"];
  make("text", { class: "tick", x: (LEFT + WIDE) / 2, y: HIGH - 6, "text-anchor": "middle" }, across, curve);
  make("text", { class: "tick", "text-anchor": "middle",
    transform: `translate(10 ${(TOP + floor) / 2}) rotate(-90)` }, up, curve);
  make("path", { class: "run", d: runOf(drawn) }, null, curve);
  if (hasTarget) {
    const [end, level] = drawn[drawn.length - 1];
    make("path", { class: "run onward", d: `M${x(0)} ${y(level)}H${x(end)}` }, null, curve);
  }
  drawStops();
  make("circle", { class: "here", r: 7, visibility: "hidden" }, null, curve);
  byId("curve-caption").textContent = captionOf();
  curve.setAttribute("aria-label", `${up} against ${across}`);
}

const tick = (value) => Number.isInteger(value) ? String(value) : value.toFixed(2);

function runOf(points) {
  const places = points.map(([across, up]) => [chart.x(across), chart.y(up)]);
  if (hasTarget) return `M${places.map(at).join("L")}`;
  // Between two degrees a threshold cuts at the higher one.
  let path = `M${at(places[0])}`;
  for (const [across, up] of places.slice(1)) path += `V${short(up)}H${short(across)}`;
  return path;
}

function drawStops() {
  const radius = data.stops.length > 60 ? 2 : 3.5;
  chartPoints.forEach((point, k) => {
    if (!point) return;
    const place = { cx: short(chart.x(point[0])), cy: short(chart.y(point[1])) };
    const kind = data.stops[k].dropped ? "stop dropped" : "stop";
    const stop = make("circle", { class: kind, r: radius, ...place }, null, curve);
    stop.addEventListener("click", () => goTo(k));
  });
}

function captionOf() {
  if (!hasTarget) return "";
  const area = data.area === null ? "" : `Area ${data.area.toFixed(3)}. `;
  return `${area}To the left thresholds grow, and less is decided.`;
}

function markStop(k) {
  const here = curve.querySelector(".here"), point = chartPoints[k];
  if (!here) return;
  here.setAttribute("visibility", point ? "visible" : "hidden");
  if (!point) return;
  here.setAttribute("cx", short(chart.x(point[0])));
  here.setAttribute("cy", short(chart.y(point[1])));
}

function showThreshold(stop) {
  const alpha = byId("alpha"), said = byId("said"), slider = byId("threshold");
  alpha.textContent = stop.alpha === null ? "the order given" : stop.alpha;
  const parts = [];
  if (stop.alpha === null) parts.push("No threshold gives this order.");
  else parts.push(stop.added ? `${counted(stop.pairs, "pair")}, ${stop.added} of them only by the closure.`
    : `${counted(stop.pairs, "pair")}.`);
  if (stop.alpha !== null && stop.alpha === data.minimal) parts.push("The minimal threshold.");
  if (stop.dropped) parts.push(`${counted(stop.dropped, "pair")} dropped: contradictions to stronger ones.`);
  if (data.cycle) {
    const items = data.cycle.items.map((item) => data.items[item]);
    const names = items.length > 7 ? [...items.slice(0, 6), "…"] : items;
    parts.push(`At ${data.cycle.alpha} the pairs form a cycle: ${names.join(" > ")}.`);
  }
  const shownStops = data.stops.filter((each) => each.alpha !== null).length;
  if (shownStops < data.thresholds) parts.push(`${shownStops} of ${data.thresholds} thresholds are shown.`);
  said.textContent = parts.join(" ");
  slider.setAttribute("aria-valuetext", stop.alpha === null ? "the order given"
    : `threshold ${stop.alpha}, ${counted(stop.pairs, "pair")}`);
}
