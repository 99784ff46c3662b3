"""Measures over subtopics and judges are those of judgments that name them."""

import numpy as np
import pytest

import gainful
from gainful.batch import evaluate
from gainful.errors import UsageError
from gainful.measures import get, names

TOPICS, CANDIDATES, MORE, ASPECTS = 6, 9, 3, 4


def forms(needs):
    found = [get(name) for name in names() if get(name).needs == needs]
    made = [one for one in found if not one._lacks]
    cut = [one for one in found if "cutoff" in one.definition.parameters]
    made += [one @ cutoff for one in cut for cutoff in (1, 3, 20)]
    return made + [one(alpha=0.8) for one in made if "alpha" in one.definition.parameters]


def drawn(seed):
    chance = np.random.default_rng(seed)
    shape = TOPICS, CANDIDATES + MORE, ASPECTS
    aspects = np.where(chance.random(shape) < 0.25, chance.integers(-1, 3, shape), np.nan)
    aspects[1, :, 1:] = np.nan  # a topic with one aspect
    aspects[2] = np.where(np.isnan(aspects[2]), np.nan, 0)  # nothing is relevant
    aspects[:, 0, 0] = 0  # every topic is judged
    mask = chance.random((TOPICS, CANDIDATES)) < 0.9
    mask[:, 0] = True
    scores = chance.integers(0, 5, (TOPICS, CANDIDATES)) / 2
    aspects[:, :CANDIDATES][~mask] = np.nan
    return scores, aspects, mask


def written(tmp_path, scores, aspects, mask, by):
    """The same as files; ids in the order of columns, lines of the run in the order of scores."""
    lines = [
        f"{topic} {aspect} d{column:02} {aspects[topic, column, aspect]:g}"
        for topic in range(TOPICS)
        for aspect in range(ASPECTS)
        for column in range(CANDIDATES + MORE)
        if not np.isnan(aspects[topic, column, aspect])
    ]
    run = [
        f"{topic} Q0 d{column:02} 1 {scores[topic, column]:g} tag"
        for topic in range(TOPICS)
        for column in range(CANDIDATES)
        if mask[topic, column]
    ]
    (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
    (tmp_path / "run").write_text("\n".join(run) + "\n")
    return gainful.read_qrels(tmp_path / "qrels", by=by), tmp_path / "run"


@pytest.mark.parametrize("library", ["numpy", "torch", "array_api_strict"])
@pytest.mark.parametrize("by", ["subtopics", "judges"])
def test_every_measure_is_what_it_is_on_files(tmp_path, by, library):
    module = pytest.importorskip(library)
    for seed in range(3):
        scores, aspects, mask = drawn(seed)
        judgments, run = written(tmp_path, scores, aspects, mask, by)
        asked = forms(by)
        wanted = gainful.evaluate(judgments, run, asked, ties="input").per_topic
        judged = ~np.isnan(aspects).all(axis=2)
        grades = np.where(judged, np.nan_to_num(aspects, nan=-9).max(axis=2), np.nan)
        given = {
            "mask": mask,
            "beyond": grades[:, CANDIDATES:],
            "aspects": np.where(mask[..., None], aspects[:, :CANDIDATES], 2),  # padding has no say
            "beyond_aspects": aspects[:, CANDIDATES:],
        }
        given = {name: module.asarray(np.ascontiguousarray(one)) for name, one in given.items()}
        found = evaluate(
            module.asarray(scores),
            module.asarray(np.ascontiguousarray(grades[:, :CANDIDATES])),
            asked,
            **given,
        )
        for name, values in found.items():
            expected = [wanted[str(topic)][name] for topic in range(TOPICS)]
            listed = [float(one) for one in values]
            np.testing.assert_allclose(listed, expected, rtol=0, atol=1e-12, err_msg=f"{seed} {name}")


def test_shapes_that_do_not_fit_are_refused():
    scores, grades = np.zeros((2, 3)), np.zeros((2, 3))
    with pytest.raises(UsageError, match=r"aspects must begin with the shape of scores, \(2, 3\)"):
        evaluate(scores, grades, "StRecall@2", aspects=np.zeros((2, 4, 5)))
    with pytest.raises(UsageError, match="aspects must be topics × candidates × aspects"):
        evaluate(scores, grades, "StRecall@2", aspects=np.zeros((2, 3)))
    with pytest.raises(UsageError, match="aspects must be an array; got list"):
        evaluate(scores, grades, "StRecall@2", aspects=[[[1]]])
    with pytest.raises(UsageError, match="beyond_aspects goes with aspects and beyond"):
        evaluate(
            scores, grades, "StRecall@2", aspects=np.zeros((2, 3, 5)), beyond_aspects=np.zeros((2, 1, 5))
        )
    with pytest.raises(UsageError, match=r"beyond_aspects must have the shape \(2, 1, 5\); got \(2, 2, 5\)"):
        evaluate(
            scores,
            grades,
            "StRecall@2",
            beyond=np.zeros((2, 1)),
            aspects=np.zeros((2, 3, 5)),
            beyond_aspects=np.zeros((2, 2, 5)),
        )
