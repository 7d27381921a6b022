// Space, arrows and page keys go from step to step and from slide to slide; Home and End to the ends.
const slides = [...document.querySelectorAll("section")];
let now = Math.max(0, slides.findIndex((slide) => `#${slide.id}` === location.hash));

const hidden = (slide) => slide.querySelectorAll(".step:not(.shown)");
// What is too long for the screen is set in smaller letters, down to 60 %; beyond that one scrolls.
const fit = (slide) => {
  for (let size = 1; size >= 0.6; size -= 0.1) {
    slide.style.fontSize = `${size}em`;
    if (slide.scrollHeight <= innerHeight + 1) return;
  }
};
const show = (number, all) => {
  now = Math.min(Math.max(number, 0), slides.length - 1);
  slides.forEach((slide, place) => slide.classList.toggle("now", place === now));
  slides[now].querySelectorAll(".step").forEach((step, place) => step.classList.toggle("shown", all || place === 0));
  fit(slides[now]);
  history.replaceState(null, "", `#${slides[now].id}`);
  scrollTo(0, 0);
};
const next = () => {
  const [step] = hidden(slides[now]);
  if (step) { step.classList.add("shown"); step.scrollIntoView({ block: "nearest" }); }
  else if (now < slides.length - 1) show(now + 1, false);
};
const back = () => {
  const shown = slides[now].querySelectorAll(".step.shown");
  if (shown.length > 1) shown[shown.length - 1].classList.remove("shown");
  else if (now > 0) show(now - 1, true);
};
const keys = {
  ArrowRight: next, " ": next, PageDown: next, Enter: next,
  ArrowLeft: back, PageUp: back, Backspace: back,
  Home: () => show(0, false), End: () => show(slides.length - 1, true),
};
addEventListener("keydown", (event) => {
  if (keys[event.key] && !event.target.closest("summary")) { event.preventDefault(); keys[event.key](); }
});
addEventListener("click", (event) => {
  if (!event.target.closest("a, details")) (event.clientX > innerWidth / 4 ? next : back)();
});
addEventListener("resize", () => fit(slides[now]));
show(now, false);
