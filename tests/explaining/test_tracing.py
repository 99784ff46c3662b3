"""A judged run that is watched is the judged run in every field."""

from gainful.explaining.tracing import Watch, WatchedRun
from gainful.judging import judged_run


def test_a_watched_run_has_every_field_of_the_run():
    judged = judged_run([3, None, 1], judged=[3, 2, 1])
    absent = [name for name, value in judged.fields().items() if value is None]
    assert "sample" in absent
    judged = judged.replace(**{name: object() for name in absent})
    watched = WatchedRun(judged, Watch(3)).fields()
    assert [name for name, value in judged.fields().items() if watched[name] is not value] == []
