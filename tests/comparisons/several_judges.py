"""Judges who see the same truth with noise, and systems that rank by it."""

import numpy as np


def collection(judges=3, systems=4, topics=12, documents=15, seed=0, noise=0.6):
    """Judges who see the same truth with noise, and systems that rank by it with noise."""
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, 4, size=(topics, documents))
    said = {
        f"judge{number}": {
            f"t{topic}": {
                f"d{place}": int(np.clip(round(grade + noise * chance.normal()), 0, 3))
                for place, grade in enumerate(grades)
            }
            for topic, grades in enumerate(truth)
        }
        for number in range(judges)
    }
    runs = {
        f"system{number}": {
            f"t{topic}": {
                f"d{place}": float(grade + (1 + number / 2) * chance.normal())
                for place, grade in enumerate(grades)
            }
            for topic, grades in enumerate(truth)
        }
        for number in range(systems)
    }
    return said, runs


SAID, RUNS = collection()
