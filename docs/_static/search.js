// Whoever searches for a function wants its own page first, and the errata and the news last.
var Scorer = {
  score: ([docname, , , , score]) => {
    if (docname.startsWith("api/generated/")) return score + 20;
    if (["errata", "changelog", "benchmarks"].includes(docname)) return score - 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
