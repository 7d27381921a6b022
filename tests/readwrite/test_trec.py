"""TREC runs and qrels."""

from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support.oracles_files import levels_of_scores
from tests.support.texts import source, written

WORDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=4
).filter(lambda text: text.split() == [text] and not text.startswith("\ufeff"))
SCORES = st.floats(allow_nan=False, allow_infinity=False)
RUN = "q1 Q0 d1 1 9.5 tag\nq1 Q0 d2 2 -7 tag\nq2 Q0 d1 1 1e-3 tag\n"
QRELS = "q1 0 d1 2\nq1 0 d2 -1\nq2 0 d1 0\n"


def test_a_run_is_scores_and_qrels_are_grades() -> None:
    run, qrels = po.read_trec_run(source(RUN)), po.read_trec_qrels(source(QRELS))
    assert run == {"q1": {"d1": 9.5, "d2": -7.0}, "q2": {"d1": 0.001}}
    assert qrels == {"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}
    assert (type(run["q1"]["d2"]), type(qrels["q1"]["d1"])) == (float, int)
    assert po.kendall_tau(qrels["q1"], run["q1"]) == 1
    assert po.read_trec_qrels(source("q1 0 d1 x\n"), errors="report") == {}
    for read in (po.read_trec_run, po.read_trec_qrels):
        assert read(source("")) == read(source("\n \n")) == {}


def test_quirks_that_change_nothing() -> None:
    for change in (("\n", "\r\n"), (" ", "\t"), (" ", "   "), ("\n", "\n\n")):
        for read, text in ((po.read_trec_run, RUN), (po.read_trec_qrels, QRELS)):
            assert read(source("\ufeff" + text.rstrip().replace(*change))) == read(source(text))


@given(st.dictionaries(WORDS, st.dictionaries(WORDS, SCORES, min_size=1, max_size=5)))
def test_runs_there_and_back(run: dict[str, dict[str, float]]) -> None:
    text = written(po.write_trec_run, run)
    assert po.read_trec_run(source(text)) == run
    turned = {query: dict(reversed(scores.items())) for query, scores in run.items()}
    assert written(po.write_trec_run, turned) == text
    for query, scores in run.items():
        ranks: dict[int, set[str]] = {}
        for cells in map(str.split, text.split("\n")[:-1]):
            if cells[0] == query:
                ranks.setdefault(int(cells[3]), set()).add(cells[2])
        assert [ranks[rank] for rank in sorted(ranks)] == levels_of_scores(scores)
        for rank, level in ranks.items():
            score = scores[next(iter(level))]
            assert rank == 1 + sum(other > score for other in scores.values())


@given(st.dictionaries(WORDS, st.dictionaries(WORDS, st.integers(), min_size=1, max_size=5)))
def test_qrels_there_and_back(qrels: dict[str, dict[str, int]]) -> None:
    assert po.read_trec_qrels(source(written(po.write_trec_qrels, qrels))) == qrels


def test_items_of_a_list_are_numbers() -> None:
    text = written(po.write_trec_run, {1: [3, 5]}, tag="x")
    assert text == "1 Q0 1 1 5.0 x\n1 Q0 0 2 3.0 x\n"
