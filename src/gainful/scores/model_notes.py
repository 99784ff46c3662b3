"""What a reader of means that rest on models' labels must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful.arrays import np
from gainful.formats.ids import shown, some
from gainful.formats.label_scales import labels_in_words, reading_in_words
from gainful.judging.notes import DECIDES, GOOD_TO_KNOW, Note
from gainful.presentation.text_style import counted, listed, percent
from gainful.scores.model_scores import MOST_LEFT, AssistedRun
from gainful.scores.score_set import Scores
from gainful.statistics.prediction_powered import LEAST_TOPICS
from gainful.statistics.resampling import SEED
from gainful.statistics.skewed_residuals import RESAMPLES, SKEWED

if TYPE_CHECKING:
    from gainful.formats import Judgments


def about_models(scores: Scores) -> list[Note]:
    """What a reader of means that rest on models' labels must know, once for all runs."""
    run = scores.runs[0]
    if not isinstance(run, AssistedRun) or run.models is None:
        return []
    models, notes = run.models, []
    who = listed(list(models.names))
    chosen = [
        (str(measure), left)
        for measure, left in zip(run.measures, models.left, strict=True)
        if left > MOST_LEFT
    ]
    if chosen:
        name, left = max(chosen, key=lambda each: each[1])
        notes.append(
            Note(
                f"{listed([each for each, _ in chosen])}: in their topics people judged what they chose, and left "
                f"{percent(left, 0)} of the labelled documents above the cutoff of {name} unjudged; without known probabilities "
                "there is no interval (judge them, or draw documents by chance: gainful pool; gainful compare says between which "
                "bounds differences lie)",
                kind="people chose",
                matters=DECIDES,
            )
        )
    if not models.others:
        notes.append(
            Note(
                f"people judged every topic that {who} labelled: the labels add nothing, and values are people's alone",
                kind="no other topics",
                matters=DECIDES,
            )
        )
    elif len(chosen) == len(run.measures):
        pass
    elif models.people < LEAST_TOPICS:
        notes.append(
            Note(
                f"people judged {counted(models.people, 'topic')}; at least {LEAST_TOPICS} are needed for an interval",
                kind="few topics",
                matters=DECIDES,
            )
        )
    else:
        notes.append(
            Note(
                f"means and intervals rest on {models.in_words}; they hold if the topics that people judged were chosen by "
                "chance, however good or bad the labels are",
                kind="models",
                matters=GOOD_TO_KNOW,
            )
        )
    without = [
        f"{measure} of {shown(each.name)}"
        for each in scores.runs
        for number, measure in enumerate(each.measures)
        if not measure.diagnostic
        and str(measure) not in each.intervals  # type: ignore[attr-defined]
        and np.ptp(each.values[number]) > 0
    ]
    if without and models.others and models.people >= LEAST_TOPICS and not chosen:
        notes.append(
            Note(
                f"no interval for {some(without)}: one or few of the topics that people judged make nearly all of the spread",
                kind="one topic",
                matters=GOOD_TO_KNOW,
            )
        )
    stretched = [
        f"{measure} of {shown(each.name)}"
        for each in scores.runs
        for measure, mean in zip(each.measures, each.assisted, strict=True)  # type: ignore[attr-defined]
        if mean.stretched
    ]
    if stretched:
        notes.append(about_skewness(some(stretched)))
    return notes + _about_scales(scores)


def about_skewness(what: str) -> Note:
    """The note that intervals of these reach further than Student's, as residuals are far from normal."""
    return Note(
        f"{what}: strongly skewed over topics (skewness above {SKEWED:g}), so that intervals reach as far as {RESAMPLES:,} "
        f"resamples of topics ask for where that is further than Student's t (bootstrap-t, seed {SEED})",
        kind=f"skewed {what}",
        matters=GOOD_TO_KNOW,
    )


def _about_scales(scores: Scores) -> list[Note]:
    """Models whose labels are on another scale than the grades of people, or lack documents that people judged."""
    notes = []
    low, high = scores.grades
    for model in scores.judgments.models:
        if model.scale != "same":
            what = labels_in_words(model.labels.index.grade, model.scale)
            notes.append(
                Note(
                    f"labels of {model.name} are {what}, people's grades {low:g} to {high:g}: {reading_in_words(model.scale)}",
                    kind=f"scale {model.name}",
                    matters=GOOD_TO_KNOW,
                )
            )
        if model.left_out:
            off = sum(model.left_out.values())
            notes.append(
                Note(
                    f"{counted(off, 'label')} of {model.name} {'is' if off == 1 else 'are'} off the people's scale {low:g} to "
                    f"{high:g} ({', '.join(f'{label:g}' for label in model.left_out)}): left out",
                    kind=f"off the scale {model.name}",
                    matters=GOOD_TO_KNOW,
                )
            )
        missing = _unlabelled(scores.judgments, model.labels)
        if missing:
            notes.append(
                Note(
                    f"{model.name} has no label for {counted(missing, 'document')} that people judged "
                    f"({percent(missing / len(scores.judgments), 0)}); they count as not relevant in its values",
                    kind=f"unlabelled {model.name}",
                    matters=GOOD_TO_KNOW,
                )
            )
    return notes


def _unlabelled(people: Judgments, labels: Judgments) -> int:
    judged = set(zip(*people.rows[:2], strict=True))
    return len(judged - set(zip(*labels.rows[:2], strict=True)))
