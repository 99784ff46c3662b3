"""The report's section on models as judges: what `gainful audit` says, and its pictures."""

import pytest
from tests.auditing.simulated_model import RUNS, labelled, pilot

from gainful import audit, judgments
from gainful.reports import report


@pytest.fixture(scope="module")
def page():
    people, model = pilot(20)
    return report(people, RUNS, "nDCG@10", model_qrels=model)


def test_the_section_says_what_audit_says_of_the_same_files(page):
    people, model = pilot(20)
    made = audit(people, model, RUNS, "nDCG@10", resamples=2000)
    section = page["audit"]
    assert section.audits[0].to_dict() == made.to_dict()
    assert list(section.sentences())[: len(made.sentences)] == list(made.sentences)
    assert page.to_dict()["audit"] == [made.to_dict()]
    assert "kappa, linear weights" in page.text()
    assert [table.name for table in section.tables(4)] == ["audit-agreement", "audit-systems"]


def test_its_pictures_are_people_against_model_calibration_and_width(page):
    figures = {figure.name: figure for figure in page["audit"].figures()}
    assert list(figures) == ["audit-systems", "audit-calibration", "audit-widths"]
    assert figures["audit-systems"].says.startswith("nDCG@10 of 3 systems; ")
    assert "at 20 topics judged by people: " in figures["audit-widths"].says
    html = page.html()
    assert all(f'id="figure-{name}"' in html for name in figures)
    assert 'id="audit-head"' in html


def test_topics_that_models_labelled_are_not_said_to_be_ignored(page):
    said = [finding.text for finding in page["data"].findings]
    assert any("30 topics of the run judged by no person, but labelled by models" in line for line in said)
    assert not any("ignored" in line for line in said)


def test_without_labels_there_is_no_such_section():
    people, _ = pilot(20)
    assert "audit" not in report(people, RUNS, "nDCG@10")


def test_each_of_several_models_has_its_own_part():
    people, model = pilot(20)
    both = judgments(people, models=[model, labelled(model, seed=2)])
    section = report(both, RUNS, "nDCG@10")["audit"]
    assert [figure.name for figure in section.figures()][::3] == ["audit-systems-1", "audit-systems-2"]
    assert section.sentences()[0].startswith("model 1: ")


def test_under_a_design_agreement_is_of_the_drawn_documents_alone():
    people, model = pilot(50)
    listed = {
        topic: {document: grade if number % 2 else -1 for number, (document, grade) in enumerate(row.items())}
        for topic, row in people.items()
    }
    design = {topic: dict.fromkeys(row, 0.5) for topic, row in listed.items()}
    section = report(listed, RUNS, "DCG@10", design=design, model_qrels=model)["audit"]
    drawn = sum(grade >= 0 for row in listed.values() for grade in row.values())
    assert section.audits[0].pairs == drawn
    assert [figure.name for figure in section.figures()] == ["audit-calibration"]


def test_under_a_design_of_unequal_probabilities_there_is_no_audit_and_the_page_says_why():
    people, model = pilot(50)
    listed = {
        topic: {document: grade if number % 2 else -1 for number, (document, grade) in enumerate(row.items())}
        for topic, row in people.items()
    }
    design = {
        topic: {document: 0.5 if number < 6 else 0.1 for number, document in enumerate(row)}
        for topic, row in listed.items()
    }
    made = report(listed, RUNS, "DCG@10", design=design, model_qrels=model)
    section = made["audit"]
    assert section.audits == ()
    (said,) = section.sentences()
    assert (
        "not audited: the documents that people judged were drawn with probabilities from 0.1 to 0.5" in said
    )
    assert "not audited" in made.html()
    assert section.to_dict() == []
