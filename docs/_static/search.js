// Whoever searches for a function by its name wants its own page first. Other words are found on
// pages before functions, and in the errata and the news last.
const words = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().match(/\w+/g) ?? [];
var Scorer = {
  score: ([docname, , , , score]) => {
    const name = docname.startsWith("api/generated/") ? docname.toLowerCase().split(/[./_]/) : null;
    if (name) return score + (words.flatMap((word) => word.split("_")).every((word) => name.includes(word)) ? 20 : -8);
    if (["errata", "changelog", "benchmarks"].includes(docname)) return score - 10;
    if (/^(lectures|course|gallery)\//.test(docname)) return score - 2;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 2,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 3,
  term: 5,
  partialTerm: 2,
};
// A function is found by its page, and not once more as an object; a method has no page of its own.
const findObjects = Search.performObjectSearch;
Search.performObjectSearch = (...words) => findObjects(...words)
  .filter(([docname, name]) => !docname.endsWith(`.${name.split(".").at(-1)}`));
