"""What do curves by rank cost beyond reading the files? 15 runs × 54 topics × 1,000 ranks in one command."""

from support.data import FOLDER, write_judgments, write_run
from support.measuring import GAINFUL, costs, evaluate, hold, tell, warm

RUNS, TOPICS, SEED = 15, 54, 200


def answer() -> None:
    FOLDER.mkdir(exist_ok=True)
    judgments, runs = FOLDER / "curves.qrels", [FOLDER / f"curves-{number:02}.run" for number in range(RUNS)]
    if not all(path.exists() for path in (judgments, *runs)):
        make(judgments, runs)
    warm(judgments, *runs)
    options = ["--to", "1000", "-f", "json"]
    commands = {
        "gainful evaluate, five measures": evaluate(judgments, *runs),
        "gainful curve, nDCG": [GAINFUL, "curve", judgments, *runs, "-m", "nDCG", *options],
        "gainful curve, nDCG and its ideal": [
            GAINFUL,
            "curve",
            judgments,
            *runs,
            "-m",
            "nDCG",
            "--ideal",
            *options,
        ],
        "gainful curve, nDCG with bands": [
            GAINFUL,
            "curve",
            judgments,
            *runs,
            "-m",
            "nDCG",
            "--band",
            "0.95",
            *options,
        ],
        "gainful curve, precision-recall": [
            GAINFUL,
            "curve",
            judgments,
            *runs,
            "--kind",
            "precision-recall",
            "-f",
            "json",
        ],
    }
    found = costs(commands, rounds=5)
    tell(found)
    reading = found["gainful evaluate, five measures"].seconds
    for name in list(commands)[1:]:
        hold(
            f"{name.removeprefix('gainful ')}, beyond evaluating",
            found[name].seconds - reading,
            most=1,
            unit="s",
        )


def make(judgments, runs) -> None:  # type: ignore[no-untyped-def]
    """Write the files, each whole or not at all."""
    for path in (judgments, *runs):
        partial = path.with_suffix(".part")
        with partial.open("wb") as out:
            if path is judgments:
                write_judgments(out, topics=TOPICS, seed=SEED, each=200)
            else:
                write_run(out, topics=TOPICS, seed=SEED, system=runs.index(path))
        partial.rename(path)
