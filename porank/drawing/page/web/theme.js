// Dark or light: as the system is set, until somebody chooses.

const root = document.documentElement;
const darkness = matchMedia("(prefers-color-scheme: dark)");

function setDark(isDark) {
  root.classList.toggle("dark", isDark);
  byId("theme").setAttribute("aria-pressed", String(isDark));
}

let isThemeChosen = false;
setDark(darkness.matches);
darkness.addEventListener("change", () => { if (!isThemeChosen) setDark(darkness.matches); });
byId("theme").addEventListener("click", () => {
  isThemeChosen = true;
  setDark(!root.classList.contains("dark"));
});
