"""LightGBM, XGBoost and scikit-learn call Gainful's measures; expected values come from other code."""

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

import gainful
from gainful.errors import UsageError
from gainful.integrations import lightgbm as for_lightgbm
from gainful.integrations import scikit_learn as for_scikit_learn
from gainful.integrations import xgboost as for_xgboost
from gainful.integrations.grouped_lists import GroupedMeasure

TOPICS, DOCUMENTS = 20, 15


@pytest.fixture(scope="module")
def data():
    """Features, grades and sizes: grades follow the first feature, and every topic has something relevant."""
    random = np.random.default_rng(4)
    features = random.normal(size=(TOPICS * DOCUMENTS, 3))
    grades = np.clip(np.round(features[:, 0] + random.normal(size=len(features)) / 2), 0, 3).astype(int)
    grades[::DOCUMENTS] = 1
    return features, grades, np.full(TOPICS, DOCUMENTS)


def ndcg_by_scikit_learn(grades, scores):
    return ndcg_score(grades.reshape(TOPICS, -1), scores.reshape(TOPICS, -1), k=10)


def test_lightgbm_train_reports_the_measure_and_stops_by_it(data):
    lightgbm = pytest.importorskip("lightgbm")
    features, grades, sizes = data
    training = lightgbm.Dataset(-features, grades, group=sizes, params={"verbose": -1})  # learns the reverse
    seen = {}
    booster = lightgbm.train(
        {"objective": "lambdarank", "metric": "none", "verbose": -1, "min_data_in_leaf": 5, "num_threads": 1},
        training,
        num_boost_round=20,
        valid_sets=[training.create_valid(features, grades, group=sizes)],
        valid_names=["held out"],
        feval=for_lightgbm.metric("nDCG@10"),
        callbacks=[lightgbm.record_evaluation(seen), lightgbm.early_stopping(2, verbose=False)],
    )
    values = seen["held out"]["nDCG@10"]
    assert len(values) < 20
    assert booster.best_iteration == 1 + int(np.argmax(values))
    scores = booster.predict(features, num_iteration=booster.best_iteration)
    # scikit-learn averages the gain of tied documents, of which trees make many; so does nDCG's expected value.
    assert max(values) == pytest.approx(ndcg_by_scikit_learn(grades, scores), abs=1e-9)


def test_lgbm_ranker_reports_the_measure(data):
    lightgbm = pytest.importorskip("lightgbm")
    features, grades, sizes = data
    ranker = lightgbm.LGBMRanker(n_estimators=3, min_child_samples=5, verbose=-1, n_jobs=1)
    ranker.fit(
        features,
        grades,
        group=sizes,
        eval_X=(features,),
        eval_y=(grades,),
        eval_group=[sizes],
        eval_metric=for_lightgbm.ranker_metric("nDCG@10"),
    )
    (seen,) = ranker.evals_result_.values()
    assert seen["nDCG@10"][-1] == pytest.approx(
        ndcg_by_scikit_learn(grades, ranker.predict(features)), abs=1e-9
    )


def test_xgboost_train_reports_the_measure(data):
    xgboost = pytest.importorskip("xgboost")
    features, grades, sizes = data
    training = xgboost.DMatrix(features, grades, group=sizes)
    seen = {}
    booster = xgboost.train(
        {"objective": "rank:ndcg", "disable_default_eval_metric": 1, "nthread": 1, "seed": 1},
        training,
        num_boost_round=3,
        evals=[(training, "training")],
        custom_metric=for_xgboost.metric("nDCG@10"),
        maximize=True,
        evals_result=seen,
        verbose_eval=False,
    )
    assert len(seen["training"]["nDCG@10"]) == 3
    # XGBoost carries the value as text with five or more digits.
    assert seen["training"]["nDCG@10"][-1] == pytest.approx(
        ndcg_by_scikit_learn(grades, booster.predict(training)), abs=1e-5
    )


def test_data_without_groups_are_refused(data):
    xgboost = pytest.importorskip("xgboost")
    features, grades, _ = data
    with pytest.raises(UsageError, match="the data have no groups"):
        for_xgboost.metric("nDCG@10")(np.zeros(len(grades)), xgboost.DMatrix(features, grades))
    with pytest.raises(UsageError, match="the data have no groups"):
        GroupedMeasure("nDCG@10").mean([1], [1.0], None)


def test_scikit_learn_cross_validates_with_topics(data):
    import sklearn
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import GroupKFold, cross_validate

    features, grades, sizes = data
    topics = np.repeat([f"q{number}" for number in range(len(sizes))], sizes)
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_validate(
            LinearRegression(),
            features,
            grades,
            scoring=for_scikit_learn.scorer("nDCG@10").set_score_request(topics=True),
            cv=GroupKFold(4),
            params={"topics": topics, "groups": topics},
        )["test_score"]
    expected = []
    for train, test in GroupKFold(4).split(features, grades, topics):
        scores = LinearRegression().fit(features[train], grades[train]).predict(features[test])
        rows = len(np.unique(topics[test]))
        order = np.argsort(topics[test], kind="stable")
        both = [array[order].reshape(rows, -1) for array in (grades[test], scores)]
        expected.append(ndcg_score(*both, k=10))
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_scorer_without_topics_says_how_to_pass_them(data):
    from sklearn.linear_model import LinearRegression

    features, grades, _ = data
    model = LinearRegression().fit(features, grades)
    with pytest.raises(UsageError, match="the scorer got no topics"):
        for_scikit_learn.scorer("nDCG@10")(model, features, grades)


def test_a_model_that_knows_nothing_is_worth_its_expected_value_whatever_the_order_of_rows():
    """One relevant document in four, all tied: RR is the mean of 1, 1/2, 1/3 and 1/4."""
    expected = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    measure = GroupedMeasure("RR")
    assert measure.mean([1, 0, 0, 0], [0.0] * 4, [4]) == pytest.approx(expected)
    assert measure.mean([0, 0, 0, 1], [0.0] * 4, [4]) == pytest.approx(expected)
    assert GroupedMeasure("RR", ties="worst").mean([0, 1], [0.0] * 2, [2]) == 1 / 2


def test_new_grades_are_noticed_even_in_the_same_array():
    measure, grades = GroupedMeasure(gainful.RR), np.array([1, 0])
    assert measure.mean(grades, [2.0, 1.0], [2]) == 1
    grades[:] = [0, 1]
    assert measure.mean(grades, [2.0, 1.0], [2]) == 1 / 2
    assert measure.mean(grades, [2.0, 1.0], [1, 1]) == (0 + 1) / 2


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="flat and of one length"):
        GroupedMeasure("RR").mean([1, 0], [1.0], [2])
