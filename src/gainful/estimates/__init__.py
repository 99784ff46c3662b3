"""Estimates of measures from a sample of judgments, where documents were drawn with known probabilities.

    judged run with its sample ──estimator of the measure's kind──▶ an estimate for each topic, and its variance
                               └─where there is none──────────────▶ bounds: the least and the greatest value

Each file of estimators registers them for a kind of measure (`measure_shapes`) or for a measure by its name.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
