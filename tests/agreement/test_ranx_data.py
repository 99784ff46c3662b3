"""One run and one set of judgments that ranx published in every format it writes: all have identical rows."""

import pytest

import gainful


def test_every_format_holds_the_same_rows(published):
    folder = published / "ranx_data" / "tests"
    if not folder.is_dir():
        pytest.skip("ranx_data is not beside the repository")
    runs = sorted(path for path in folder.iterdir() if path.name.startswith("run."))
    judgments = sorted(path for path in folder.iterdir() if path.name.startswith("qrels."))
    assert (len(runs), len(judgments)) == (5, 4)
    assert len({gainful.read_run(path).content.digest for path in runs}) == 1
    assert len({gainful.read_qrels(path).digest for path in judgments}) == 1
    for run in runs:
        assert (
            gainful.evaluate(judgments[0], run, "AP").mean
            == gainful.evaluate(judgments[0], runs[0], "AP").mean
        )
