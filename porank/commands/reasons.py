"""Why a command stopped, in one line that a shell user can act on."""

from __future__ import annotations

import re

from porank.errors import PorankError

#: What errors advise to Python users, and what the command line has in its place.
_ADVICE = (
    (
        r"; break_cycles\(G\) drops .*",
        "; porank convert --break-cycles drops as few pairs as makes it an order",
    ),
    (r"; align\(.*?\) mends it", "; porank compare --align compares what is in both"),
    (r"; Profile\(orders\)\.completed\(\) puts .*", "; --unranked last puts what is missing last"),
    (r"delimiter=(.) names another sign", r"--delimiter names another sign"),
    (r"delimiter= names another sign", r"--delimiter names another sign"),
    (r"delimiter=('.*?') splits it there", r"--delimiter \1 splits it there"),
    (r"; columns=\{.*?\} .*", "; --columns ROLE=NAME says which is which"),
    (r", which groups='separate' keeps apart", ""),
    (r"open\(path, encoding=\.\.\.\) reads other encodings", "iconv -t utf-8 converts others"),
    (r"or give by=", "or give --by"),
    (r", scheduler=None takes", ", without --scheduler it takes"),
    (r"\bengine='(.*?)'", r"--engine \1"),
    (r"; events= names others", "; --events names others"),
    (r"(, |; |; they are the graph .*)impossible='empty'.*", ""),
    (r"minimal_threshold\(P\) is", "--alpha minimal is"),
    (r"; P\.restrict\(.*", ""),
    (r"Fraction\((-?[0-9]+), 1\)", r"\1"),
    (r"Fraction\((-?[0-9]+), ([0-9]+)\)", r"\1/\2"),
)


def reason_of(error: Exception) -> str:
    """Return the first line of an error, with the way out that the command line has.

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
    text = str(error).partition("\n")[0]
    for pattern, instead in _ADVICE:
        text = re.sub(pattern, instead, text)
    return text
