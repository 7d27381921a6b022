"""The notebooks in examples run from the first cell to the last, whose checks hold."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_checks(path: Path, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "assert " in code[-1].source
    pictures = {"image/png", "text/html"}
    assert any(pictures & set(made.get("data", ())) for cell in code for made in cell.outputs)
