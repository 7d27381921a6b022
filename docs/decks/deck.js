// Space, arrows and page keys go from step to step and from slide to slide; Home and End to the ends.
// a shows the answers of a slide, A those of all slides, on paper too.
const slides = [...document.querySelectorAll("section")];
const isTelephone = matchMedia("(max-width: 37rem), (max-height: 30rem)"), isTouched = matchMedia("(pointer: coarse)");
let now = Math.max(0, slides.findIndex((slide) => `#${slide.id}` === location.hash));

const load = (slide) => slide?.querySelectorAll("iframe[data-src]").forEach((frame) => {
  frame.src = frame.dataset.src;
  frame.removeAttribute("data-src");
});
// Text is as large as fits, answers included, with the picture beside or below it, or the other way if
// text were small; on a telephone it has 16 px and slides scroll.
const sizeIn = (body, text, kind) => {
  body.classList.remove("beside", "below");
  body.classList.add(kind);
  const isTooWide = (each) => each.scrollWidth > each.clientWidth;
  for (let pixels = 40; pixels > 16; pixels -= 1) {
    body.style.fontSize = `${pixels / 28}rem`;
    if (body.scrollHeight <= body.clientHeight && ![text, ...text.querySelectorAll("pre")].some(isTooWide)) return pixels;
  }
  return 16;
};
const fit = (slide) => {
  const body = slide.querySelector(".body"), text = slide.querySelector(".text");
  body.style.fontSize = "1rem";
  if (!text || isTelephone.matches) return;
  const isShown = slide.classList.contains("now");
  slide.classList.add("now", "answers");
  body.dataset.kind ??= body.classList[1];
  const other = { beside: "below", below: "beside", plain: "plain" }[body.dataset.kind];
  if (sizeIn(body, text, body.dataset.kind) < 28) sizeIn(body, text, other);
  slide.classList.remove("answers");
  slide.classList.toggle("now", isShown);
};
const stepsOf = (slide) => [...slide.querySelectorAll(".step:not(.shown)")];
const show = (number, all) => {
  now = Math.min(Math.max(number, 0), slides.length - 1);
  slides.forEach((slide, place) => slide.classList.toggle("now", place === now));
  fit(slides[now]);
  if (all) stepsOf(slides[now]).forEach((step) => step.classList.add("shown"));
  load(slides[now]);
  load(slides[now + 1]);
  history.replaceState(null, "", `#${slides[now].id}`);
  // Of a framed page that has the keys.
  document.activeElement.blur();
};
const next = () => {
  const left = stepsOf(slides[now]);
  // A step of the text and one of the pictures may belong together.
  const first = Math.min(...left.map((step) => Number(step.dataset.step)));
  if (left.length) left.filter((step) => Number(step.dataset.step) === first).forEach((step) => step.classList.add("shown"));
  // Fingers have no key for answers.
  else if (isTouched.matches && slides[now].querySelector(".answer:not(.shown)")) answers();
  else show(now + 1, false);
};
const answers = () => slides[now].querySelectorAll(".answer").forEach((answer) => answer.classList.toggle("shown"));
const keys = {
  ArrowRight: next, " ": next, PageDown: next, Enter: next,
  ArrowLeft: () => show(now - 1, true), PageUp: () => show(now - 1, true), Backspace: () => show(now - 1, true),
  Home: () => show(0, false), End: () => show(slides.length - 1, true),
  a: answers, A: () => document.body.classList.toggle("answers"),
};
addEventListener("keydown", (event) => {
  if (keys[event.key] && !event.ctrlKey && !event.metaKey) { event.preventDefault(); keys[event.key](); }
});
addEventListener("message", ({ data }) => { if (/^Page(Up|Down)$/.test(data)) keys[data](); });
addEventListener("click", (event) => {
  if (event.target.closest("a")) return;
  if (event.clientX > innerWidth / 4) next(); else show(now - 1, true);
});
addEventListener("beforeprint", () => slides.forEach((slide) => { load(slide); fit(slide); }));
addEventListener("resize", () => fit(slides[now]));
addEventListener("hashchange", () => show(slides.findIndex((slide) => `#${slide.id}` === location.hash), false));
show(now, false);
