// What is shown at which stop, and what begins it all. This file comes last: what the others declare
// may be used by those before them, as nothing but declarations and listeners stands there.

let stopNumber = data.start;
const slider = byId("threshold"), overlay = byId("overlay");
const hasSlider = data.thresholds !== undefined;

function refresh() {
  const stop = data.stops[stopNumber], scene = data.scenes[stop.scene];
  const before = shown && shown.places;
  draw(viewOf(scene, hasTarget && overlay.checked));
  if (isFitted || !before) fit();
  showSummary(shown, stop);
  showTarget(stop);
  if (hasSlider) {
    slider.value = stopNumber;
    showThreshold(stop);
    markStop(stopNumber);
  }
  highlight();
}

function goTo(number) {
  stopNumber = Math.max(0, Math.min(data.stops.length - 1, number));
  refresh();
  tell();
}

byId("save").addEventListener("click", saveDiagram);
byId("print").addEventListener("click", () => window.print());
byId("closer").addEventListener("click", () => zoom(1.3));
byId("farther").addEventListener("click", () => zoom(1 / 1.3));
byId("fit").addEventListener("click", fit);
overlay.addEventListener("change", () => {
  isFitted = true;
  refresh();
});
slider.addEventListener("input", () => goTo(Number(slider.value)));
new ResizeObserver(() => {
  size = null;
  if (printed) return;
  if (isFitted) fit();
  else look({ ...frame, h: frame.w * stageSize().height / stageSize().width });
}).observe(diagram);

byId("threshold-part").hidden = !hasSlider;
slider.hidden = data.stops.length < 2;
byId("target-part").hidden = !hasTarget;
slider.max = data.stops.length - 1;
if (hasSlider) drawCurve();
refresh();
