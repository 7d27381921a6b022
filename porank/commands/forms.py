"""The forms of files: which they are, and what the suffix of a name tells."""

from __future__ import annotations

from pathlib import PurePath

from porank.errors import PorankError

#: What PrefLib calls the types of its files.
PREFLIB = ("soc", "soi", "toc", "toi", "cat", "wmd")
#: What can be read, and what can be written.
INPUTS = (
    "notation",
    "csv",
    "tsv",
    "pairs",
    "ranks",
    "json",
    "graphml",
    "parquet",
    "preflib",
    "trec-run",
    "trec-qrels",
    "trec-prefs",
)
OUTPUTS = (*(form for form in INPUTS if form != "pairs"), "dot", "tex")
#: Texts with a sign between the cells, and all tables.
DELIMITED = ("csv", "tsv", "pairs", "ranks")
TABLES = (*DELIMITED, "parquet")
#: What holds an order for each query, and what holds many orders.
TREC = ("trec-run", "trec-qrels", "trec-prefs")
MANY = ("preflib", *TREC)
_FORM_OF = {
    ".txt": "notation",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".graphml": "graphml",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".run": "trec-run",
    ".qrels": "trec-qrels",
    ".prefs": "trec-prefs",
    ".dot": "dot",
    ".gv": "dot",
    ".tex": "tex",
} | {f".{kind}": "preflib" for kind in PREFLIB}


def is_compressed(path: str) -> bool:
    """Return whether the name says that a file is one of gzip.

    Examples
    --------
    >>> is_compressed("log.csv.gz"), is_compressed("log.csv")
    (True, False)
    """
    return path.endswith(".gz")


def suffix_of(path: str) -> str:
    """Return the suffix of a name in small letters, without that of a compressed file.

    Examples
    --------
    >>> suffix_of("votes.SOC"), suffix_of("log.csv.gz")
    ('.soc', '.csv')
    """
    return PurePath(path.removesuffix(".gz")).suffix.lower()


def told_by_name(path: str) -> str | None:
    """Return the form that the name of a file tells, if it tells any.

    Examples
    --------
    >>> told_by_name("votes.soc"), told_by_name("log.tsv.gz"), told_by_name("votes.dat")
    ('preflib', 'tsv', None)
    """
    return _FORM_OF.get(suffix_of(path))


def form_of(path: str, given: str | None, *, option: str, known: tuple[str, ...] = INPUTS) -> str:
    """Return the form that was given, or else what the name of the file tells.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input or output, which is in the notation.
    given : str, optional
        The form that was given.
    option : str
        How it is given, for the message.
    known : tuple of str
        The forms there are.

    Examples
    --------
    >>> form_of("votes.soc", None, option="--from"), form_of("-", None, option="--from")
    ('preflib', 'notation')
    >>> form_of("votes.dat", None, option="--from", known=("csv", "json"))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a name that tells the format, found 'votes.dat'; --from
    names it: csv, json
    """
    found = given or ("notation" if path == "-" else told_by_name(path))
    if found not in known:
        raise PorankError(
            f"expected a name that tells the format, found {path!r}; {option} names it: "
            f"{', '.join(known)}"
        )
    return found
