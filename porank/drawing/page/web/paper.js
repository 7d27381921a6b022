// Paper is white, and shows all, in this many pixels.
const PAPER_WIDE = 680, PAPER_HIGH = 520;
let printed = null;
window.addEventListener("beforeprint", () => {
  printed = { frame, isFitted, isDark: root.classList.contains("dark") };
  setDark(false);
  look(framed(PAPER_WIDE, PAPER_HIGH, TOP_EDGE));
  dress(PAPER_WIDE / frame.w, frame);
});
window.addEventListener("afterprint", () => {
  if (!printed) return;
  setDark(printed.isDark);
  isFitted = printed.isFitted;
  look(printed.frame);
  printed = null;
});
