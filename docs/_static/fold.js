// A link to a folded section opens it; print shows all of them.
const unfold = (which) => document.querySelectorAll(which).forEach((each) => { each.open = true; });
for (const when of ["load", "hashchange"]) addEventListener(when, () => unfold(":target > details, :target + details"));
addEventListener("beforeprint", () => unfold("details"));
