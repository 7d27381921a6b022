// Dark or light: in a frame as what is around it, else as the system is set, until somebody chooses.

const root = document.documentElement;
const darkness = matchMedia("(prefers-color-scheme: dark)");

function setDark(isDark) {
  root.classList.toggle("dark", isDark);
  byId("theme").setAttribute("aria-pressed", String(isDark));
}

// The first ground behind the frame that can be seen; a frame that may not look out has none.
function isDarkAround() {
  const outer = (node) => node && (node.parentElement || node.getRootNode().host);
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  for (let node = outer(window.frameElement); node; node = outer(node)) {
    pixel.fillStyle = getComputedStyle(node).backgroundColor;  // in whatever space of colours
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, solid] = pixel.getImageData(0, 0, 1, 1).data;
    if (solid) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return darkness.matches;
}

let isThemeChosen = false;
const followTheme = () => { if (!isThemeChosen) setDark(isDarkAround()); };
followTheme();
darkness.addEventListener("change", followTheme);
if (window.frameElement) {
  const changes = new MutationObserver(() => setTimeout(followTheme, 300));
  const { documentElement, body } = window.parent.document;
  for (const node of [documentElement, body]) changes.observe(node, { attributes: true });
}
byId("theme").addEventListener("click", () => {
  isThemeChosen = true;
  setDark(!root.classList.contains("dark"));
});
