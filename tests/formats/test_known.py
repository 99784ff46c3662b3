"""What users knew and expected, from files and objects."""

import gzip

import pytest

from gainful.errors import DataError
from gainful.formats.user_knowledge import Known, read_expected, read_known


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "users"),
    [
        ("1 a\n1 b\n2 c\n", {"ann": {"1": {"a", "b"}, "2": {"c"}}}),
        ("\ufeff# who knew what\n\n 1\ta \r\n", {"ann": {"1": {"a"}}}),
        ("1 0 a 1\n1 0 b 0\n2 0 c -1\n", {"ann": {"1": {"a"}, "2": set()}}),
        ("1 eve a\n1 bob b\n2 eve c\n", {"eve": {"1": {"a"}, "2": {"c"}}, "bob": {"1": {"b"}}}),
        ("1 eve a 1\n1 bob a 0\n", {"eve": {"1": {"a"}}, "bob": {"1": set()}}),
        ("1 eve a\n", {"eve": {"1": {"a"}}}),
    ],
)
def test_files_of_two_three_or_four_columns(text, users, tmp_path):
    assert read_known(written(tmp_path, "ann.qrels", text)).users == users
    assert read_known(str(written(tmp_path, "ann.txt.gz", gzip.compress(text.encode())))).users == users


def test_a_file_for_each_user(tmp_path):
    paths = [written(tmp_path, "ann.txt", "1 a\n"), written(tmp_path, "bob.txt", "1 b\n")]
    assert read_known(paths).users == {"ann": {"1": {"a"}}, "bob": {"1": {"b"}}}
    with pytest.raises(DataError, match="user 'ann' is in two of the files"):
        read_known([paths[0], paths[0]])


def test_objects():
    assert read_known({"q": ("a", b"b"), 7: {"c"}}).users == {"user": {"q": {"a", "b"}, "7": {"c"}}}
    assert read_known({"ann": {"q": ["a"]}}).users == {"ann": {"q": {"a"}}}
    assert read_known({}).users == {"user": {}}
    known = Known({"ann": {}})
    assert read_known(known) is known


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n", "line 1: 1 column"),
        ("1 a b c d\n", "line 1: 5 columns"),
        ("1 a\n1 u b\n", "line 2: 3 columns, and other lines have 2"),
        ("1 0 a yes\n", "line 1: 'yes' is not a number; use 1 for a known document"),
        ("# nothing\n", "holds no rows"),
        (b"1 a\0\n", "binary file"),
    ],
)
def test_faults_have_their_place(text, said, tmp_path):
    path = written(tmp_path, "bad.txt", text)
    with pytest.raises(DataError, match=said) as caught:
        read_known(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("given", [3, ["q", 3], {"q": "abc"}, {"q": 3}, {"u": {"q": "abc"}}])
def test_other_things_are_refused(given):
    with pytest.raises(DataError, match="what was known"):
        read_known(given)


def test_expectations(tmp_path):
    assert read_expected(3) == read_expected(3.0) == 3
    assert read_expected({"q": 2, 7: 1}) == {"q": 2, "7": 1}
    assert read_expected(written(tmp_path, "n.txt", "1 3\n2 0\n")) == {"1": 3, "2": 0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 3 4\n", "line 1: 3 columns where topic and number are expected"),
        ("1 many\n", "line 1: a number of documents is whole, 0 or more; got many"),
        ("1 2.5\n", "got 2.5"),
        ("1 2\n1 3\n", "line 2: topic '1' is there twice"),
        ("\n", "holds no rows"),
    ],
)
def test_faults_in_expectations_have_their_place(text, said, tmp_path):
    with pytest.raises(DataError, match=said):
        read_expected(written(tmp_path, "n.txt", text))


@pytest.mark.parametrize("given", [-1, 1.5, float("nan"), pytest.param(10**400, id="huge"), {"q": -1}])
def test_a_number_of_documents_is_whole(given):
    with pytest.raises(DataError, match="whole, 0 or more"):
        read_expected(given)


@pytest.mark.parametrize("given", [True, [1], None])
def test_other_expectations_are_refused(given):
    with pytest.raises(DataError, match="a number, a file, or"):
        read_expected(given)
