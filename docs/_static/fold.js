// A link to a folded section opens it; print shows all of them.
const unfold = () => {
  const part = location.hash && document.getElementById(location.hash.slice(1))?.querySelector(":scope > details");
  if (part) part.open = true;
};
addEventListener("DOMContentLoaded", unfold);
addEventListener("hashchange", unfold);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
