"""Why a command stopped, in one line that a shell user can act on."""

from __future__ import annotations

import re

from porank.errors import PorankError

_NO_BALLOT = "; a partial order is no ballot, and as a graph it has a weight for each pair"
#: What errors advise to Python users, and what the command line has in its place.
ADVICE = (
    (
        r"; break_cycles\(G\) drops .*",
        "; porank convert --break-cycles drops as few pairs as makes it an order",
    ),
    (r"delimiter= names another sign", r"--delimiter names another sign"),
    (r"delimiter=('.*?') splits it there", r"--delimiter \1 splits it there"),
    (r"; columns=\{.*?\} .*", "; --columns ROLE=NAME says which is which"),
    (r", which groups='separate' keeps apart", ""),
    (r"open\(path, encoding=\.\.\.\) reads other encodings", "iconv -t utf-8 converts others"),
    (r"open\(path, encoding='utf-16'\) reads it", "iconv -f utf-16 -t utf-8 converts it"),
    (r"or give by=", "or give --by"),
    (r"; (items|groups)='both'", r"; --\1 both"),
    (r"; from_levels\(.*", "; notation, json, graphml and dot hold any order"),
    (r"(a finite weight) (of .*), found None", rf"\1 \2 for PrefLib, found none{_NO_BALLOT}"),
    (r"; give relevance=.*", "; a target in TREC's formats has grades"),
    (r", scheduler=None takes", ", without --scheduler it takes"),
    (r"\bengine='(.*?)'", r"--engine \1"),
    (r"; events= names others", "; --events names others"),
    (r"(, |; |; they are the graph .*)impossible='empty'.*", ""),
    (r"minimal_threshold\(P\) is", "--alpha minimal is"),
    (r"; P\.restrict\(.*", ""),
    (r"; restrict\(G, items\) takes .*", "; porank ranks tells where each item stands"),
    (r"; the scores themselves say the same", "; ranks, json and PrefLib hold it"),
    (r"; give the scores themselves, .*", "; a table of ranks holds it"),
    (r"maximum recursion depth exceeded.*", "it is nested too deeply"),
    (r"expected a function or one of", "expected one of"),
    (r"or a name in by as keys of columns", "or a column of --by before a = in --columns"),
    (r"\bas by, found \((.*?),?\)", r"as --by, found \1"),
    (r"\bonly in P\b", "only in the rankings"),
    (r"(expected a Parquet file), (?!found)", r"\1, found an error: "),
    (r"(?:\.|(?<=does so)), as (target|predicted)$", ""),
    (r"Fraction\((-?[0-9]+), 1\)", r"\1"),
    (r"Fraction\((-?[0-9]+), ([0-9]+)\)", r"\1/\2"),
)
#: That the items differ, which one command can mend.
ALIGN = r"; align\(.*?\) mends it"


def reason_of(error: Exception, *, command: str = "") -> str:
    """Return the first line of an error, with the way out that the command has.

    Examples
    --------
    >>> reason_of(FileNotFoundError(2, "No such file or directory", "x.csv"))
    "No such file or directory: 'x.csv'"
    >>> from porank.errors import CycleError
    >>> print(reason_of(CycleError.found(["a", "b", "a"])))
    expected an order, found the cycle 'a' > 'b' > 'a'; porank convert --break-cycles drops as few
    pairs as makes it an order
    """
    if isinstance(error, OSError) and not isinstance(error, PorankError) and error.strerror:
        names = [repr(name) for name in (error.filename, error.filename2) if name is not None]
        return ": ".join([error.strerror, *names[-1:]])
    return advised(str(error).partition("\n")[0], command=command)


def advised(text: str, *, command: str = "") -> str:
    """Return a reason with the advice that a command can follow.

    Examples
    --------
    >>> advised("found only in target: 'x'; align(target, predicted) mends it", command="page")
    "found only in target: 'x'"
    """
    if command == "compare":
        text = re.sub(ALIGN, "; --align intersection compares what is in both", text)
    text = re.sub(ALIGN, "", text)
    for pattern, instead in ADVICE:
        text = re.sub(pattern, instead, text)
    return text
