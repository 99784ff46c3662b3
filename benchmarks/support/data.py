"""Judgments and runs of any size, made from a seed on first use and kept in benchmarks/.data.

    python benchmarks/support/data.py NAME...

Called as a program of its own, so that the process that measures stays small: a child's peak memory is never
reported below that of the process that started it.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent.parent / ".data"
DEPTH = 1000
FIRST_TOPIC = 1_000_000  # ids of seven digits, as in large public collections
FIRST_DOCUMENT, DOCUMENTS = 1_000_000, 8_841_823
MEDIUM, SMALL, MANY = 6_980, 250, 50
DEEP = 10_000


def path(name: str) -> Path:
    """The file of this name, made first if it is not there."""
    return paths(name)[0]


def paths(*names: str) -> list[Path]:
    """The files of these names, made first if they are not there."""
    missing = [name for name in names if not (FOLDER / name).exists()]
    if missing:
        FOLDER.mkdir(exist_ok=True)
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        print(f"  (making {missing[0]}{more})", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, __file__, *missing], check=True)
    return [FOLDER / name for name in names]


def make(name: str) -> None:
    """Write one file, whole or not at all."""
    partial = FOLDER / f"{name}.part"
    with partial.open("wb") as out:
        MAKERS[name](out)
    partial.rename(FOLDER / name)


# A topic's lines differ in width by rank alone, so that every topic has the same layout:
# one block of text is the mould of all, and only digits at known places are written into its copies.


def write_run(out: BinaryIO, *, topics: int, seed: int, system: int = 0, depth: int = DEPTH) -> None:
    """A run in order: topics × depth lines of about 36 bytes. Systems order the documents differently."""
    import numpy as np

    shuffle = np.random.default_rng(system)

    lines, topic_at, document_at, score_at, length = [], [], [], [], 0
    for rank in range(1, depth + 1):
        topic_at.append(length)
        document_at.append(length + 11)
        score_at.append(length + 19 + len(str(rank)) + 1)
        lines.append(b"0000000 Q0 0000000 %d 00.0000 base\n" % rank)
        length += len(lines[-1])
    mould = np.frombuffer(b"".join(lines), dtype=np.uint8)
    for first, retrieved, scores in blocks(topics, seed, depth):
        documents = shuffle.permuted(retrieved, axis=1) if system else retrieved
        block = np.tile(mould, (len(documents), 1))
        ids = first + np.arange(len(documents), dtype=np.int64)
        write_digits(block, np.array(topic_at), np.repeat(ids[:, None], depth, axis=1), 7)
        write_digits(block, np.array(document_at), documents, 7)
        write_digits(block, np.array(score_at), scores // 10_000, 2)
        write_digits(block, np.array(score_at) + 3, scores % 10_000, 4)
        out.write(block.data)


def write_digits(
    block: "NDArray[np.uint8]", at: "NDArray[np.int64]", numbers: "NDArray[np.int64]", width: int
) -> None:
    """Write whole numbers as text of one width."""
    for place in range(width - 1, -1, -1):
        block[:, at + place] = 48 + numbers % 10
        numbers = numbers // 10


def blocks(
    topics: int, seed: int, depth: int = DEPTH
) -> "Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]":
    """Some topics at a time: the first one's id, their documents by rank, and scores in ten-thousandths."""
    import numpy as np

    random = np.random.default_rng(seed)
    step = 899_000 // depth  # at 1,000 ranks, far enough apart for 32-bit floats to keep the order
    steps = step * np.arange(depth, 0, -1)
    for start in range(0, topics, 100):
        count = min(100, topics - start)
        documents = np.array([random.choice(DOCUMENTS, depth, replace=False) for _ in range(count)])
        scores = 100_000 + steps + random.integers(0, step - step // 100, (count, depth))
        yield FIRST_TOPIC + start, FIRST_DOCUMENT + documents, scores


def write_judgments(out: BinaryIO, *, topics: int, seed: int, each: int, depth: int = DEPTH) -> None:
    """Grades 0 to 3 of `each` documents a topic: half of them in the run of the same seed, half anywhere."""
    import numpy as np

    random = np.random.default_rng(seed + 1)
    for first, documents, _ in blocks(topics, seed, depth):
        for row, retrieved in enumerate(documents):
            ranks = np.unique((depth * random.random((each + 1) // 2) ** 3).astype(int))
            others = FIRST_DOCUMENT + DOCUMENTS + random.choice(10**5, each - len(ranks), replace=False)
            judged = np.concatenate([retrieved[ranks], others])
            grades = np.minimum(random.geometric(0.6, len(judged)) - 1, 3)
            rows = zip(judged.tolist(), grades.tolist(), strict=True)
            out.writelines(b"%d 0 %d %d\n" % (first + row, document, grade) for document, grade in rows)


def write_shuffled(out: BinaryIO, source: str, seed: int) -> None:
    """The lines of another file in random order."""
    import numpy as np

    text = np.memmap(path(source), dtype=np.uint8, mode="r")
    pieces = [(start, text[start : start + (1 << 26)]) for start in range(0, len(text), 1 << 26)]
    ends = np.concatenate([start + np.flatnonzero(piece == ord("\n")) for start, piece in pieces]) + 1
    starts = np.concatenate([[0], ends[:-1]])
    order = np.random.default_rng(seed).permutation(len(ends))
    for first in range(0, len(order), 500_000):
        some = order[first : first + 500_000]
        lengths = ends[some] - starts[some]
        shifts = np.repeat(starts[some] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        out.write(text[np.arange(len(shifts)) + shifts].data)


def write_gz(out: BinaryIO, source: str) -> None:
    """Another file as gzip writes it unless told otherwise."""
    import gzip
    import shutil

    with path(source).open("rb") as plain, gzip.GzipFile("", "wb", 6, out, mtime=0) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)


def write_many(number: int) -> Callable[[BinaryIO], None]:
    """One of a hundred runs over the same topics."""
    return lambda out: write_run(out, topics=MANY, seed=100, system=number)


MAKERS: dict[str, Callable[[BinaryIO], None]] = {
    "medium.qrels": lambda out: write_judgments(out, topics=MEDIUM, seed=1, each=20),
    "medium.run": lambda out: write_run(out, topics=MEDIUM, seed=1),
    "medium-shuffled.run": lambda out: write_shuffled(out, "medium.run", seed=2),
    "medium.run.gz": lambda out: write_gz(out, "medium.run"),
    "small.qrels": lambda out: write_judgments(out, topics=SMALL, seed=3, each=200),
    "small.run": lambda out: write_run(out, topics=SMALL, seed=3),
    "large.qrels": lambda out: write_judgments(out, topics=MEDIUM, seed=4, each=20, depth=DEEP),
    "large.run": lambda out: write_run(out, topics=MEDIUM, seed=4, depth=DEEP),
    "large-shuffled.run": lambda out: write_shuffled(out, "large.run", seed=5),
    "many.qrels": lambda out: write_judgments(out, topics=MANY, seed=100, each=200),
    **{f"many-{number:02}.run": write_many(number) for number in range(100)},
}


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        make(wanted)
