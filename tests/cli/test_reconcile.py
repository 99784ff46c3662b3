"""gainful reconcile; gainful check --conventions; gainful report --against."""

import json


def plain(text):
    return " ".join(text.split())


def test_a_value_is_explained_in_a_sentence(gainful, qrels, good_run):
    # ((2 + 1/2) / (2 + 1/log2 3) + 1/log2 3) / 2
    ended = gainful("reconcile", qrels, good_run, "--value", "0.7906", "-m", "nDCG@10")
    assert ended.code == 0
    assert "0.7906 is ours: nothing differs." in plain(ended.out)
    assert "How far each convention alone moves our nDCG@10" in ended.out
    assert "2 judged topics · run good" in ended.out


def test_several_values_are_given_by_options_pairs_or_a_file(gainful, qrels, good_run, tmp_path):
    by_options = gainful("reconcile", qrels, good_run, "--value", "0.6667", "--value", "0.75", "-m", "AP,RR")
    by_pairs = gainful("reconcile", qrels, good_run, "--values", "AP=0.6667,RR=0.75")
    assert by_options.out == by_pairs.out
    assert "Every one of 2 values is ours" in plain(by_pairs.out)
    printed = tmp_path / "theirs.txt"
    printed.write_text("map\tall\t0.6667\nrecip_rank\tall\t0.7500\n")
    told = json.loads(gainful("reconcile", qrels, good_run, "--values", printed, "-f", "json").out)
    assert told["sources"][0]["explanations"][0]["dialect"].startswith("trec-eval@")
    assert told["sources"][0]["fits"]


def test_the_way_between_two_tools_is_a_table_with_shares(gainful, qrels, good_run):
    ended = gainful("reconcile", "--between", "gainful", "lightgbm", qrels, good_run, "-m", "nDCG@10")
    assert ended.code == 0
    assert "shares: Shapley values, exact" in ended.out
    told = json.loads(gainful("reconcile", "--between", "beir", "mteb", qrels, good_run, "-f", "json").out)
    assert told["difference"] == 0
    two = json.loads(
        gainful("reconcile", "--between", "beir", "mteb", qrels, good_run, "-m", "P@1,R@10", "-f", "json").out
    )
    assert [walk["measure"] for walk in two] == ["P@1", "R@10"]


def test_wrong_usage_says_what_to_do(gainful, qrels, good_run):
    for arguments, message in (
        ((), "say which number is to be explained"),
        (("-m", "AP"), "-m names the measures of --value or --between"),
        (("--value", "0.5", "-m", "AP,RR"), "there is 1 value and 2 measures"),
        (("--value", "half"), "'half' is not a number"),
        (("--between", "bier", "mteb"), "did you mean beir?"),
        (("--between", "beir@9", "mteb"), "nothing is known of beir 9; known: beir 1.0.1 to 2.2.0"),
        (("--between", "beir", "mteb", "-m", "ERR@10"), "has no measure 'ERR@10'; it has NDCG@K"),
        (("--between", "beir", "mteb", "--value", "0.5"), "leave --value and --values out"),
    ):
        ended = gainful("reconcile", qrels, good_run, *arguments)
        assert ended.code == 2, arguments
        assert message in ended.err


def test_check_names_the_conventions_that_move_numbers_where_asked(gainful, qrels, good_run):
    assert "onventions move" not in gainful("check", qrels, good_run).out
    ended = gainful("check", qrels, good_run, "--conventions")
    assert ended.code == 0
    assert "Conventions move nDCG@10 by up to:" in plain(ended.out)
    assert "gain (linear or" in plain(ended.out)


def test_a_report_shows_the_way_to_a_tool(gainful, qrels, good_run):
    ended = gainful("report", qrels, good_run, "--against", "lightgbm", "-f", "json", "-m", "nDCG@10")
    assert ended.code == 0
    (walk,) = json.loads(ended.out)["against"]
    assert walk["to"]["dialect"].startswith("lightgbm@")
    assert sum(step["share"] for step in walk["steps"]) == walk["difference"]
    assert "against" not in json.loads(gainful("report", qrels, good_run, "-f", "json", "-m", "nDCG@10").out)
    unknown = gainful("report", qrels, good_run, "--against", "lihgtgbm", "-f", "json")
    assert unknown.code == 2
    assert "did you mean lightgbm?" in unknown.err
