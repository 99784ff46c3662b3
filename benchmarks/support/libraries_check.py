"""Do CuPy and JAX give NumPy's values on this device? `python libraries_check.py`; it exits with 1 if not."""

import sys

import numpy as np

from gainful.batch import evaluate
from gainful.measures import get, names


def main() -> int:
    wrong = 0
    chance = np.random.default_rng(1)
    shape = 50, 60
    scores = (chance.integers(-30, 30, shape) / 4).astype(np.float32)
    grades = chance.choice([-1, 0, 0, 1, 2, 3, np.nan], shape).astype(np.float32)
    mask, beyond = chance.random(shape) < 0.9, chance.integers(0, 4, (50, 3)).astype(np.float32)
    asked = [get(name) for name in names() if get(name).needs is None]
    asked = [one @ {"cutoff": 10, "recall": 0.3}[one.definition.at] if one._lacks else one for one in asked]
    wanted = evaluate(scores.astype(np.float64), grades, asked, mask=mask, beyond=beyond)
    for library, chosen in (("cupy", asked), ("jax.numpy", asked[::6])):
        try:
            xp = __import__(library, fromlist=["asarray"])
        except ImportError:
            print(library, "is not installed")
            continue
        given = {"mask": xp.asarray(mask), "beyond": xp.asarray(beyond)}
        for one in chosen:
            try:
                found = evaluate(xp.asarray(scores), xp.asarray(grades), one, **given)[str(one)]
            except Exception as fault:
                print(library, one, type(fault).__name__, str(fault)[:200])
                wrong += 1
                continue
            found = found.get() if library == "cupy" else np.asarray(found)
            off = (np.abs(found - wanted[str(one)]) / np.maximum(1, np.abs(wanted[str(one)]))).max()
            if not off < 1e-5:
                print(library, one, "is off by", off)
                wrong += 1
        print(library, len(chosen), "measures done")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
