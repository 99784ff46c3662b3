"""Measures on dense arrays: topics × candidates, on any device, inside a training loop.

    evaluate     the value of each measure for each topic, where the scores are
    Accumulator  these values over many batches and processes
    deliver      documents × profiles: the pairs that reach a threshold, without ever writing all scores

Arrays are those of NumPy, PyTorch, JAX, CuPy, or any library that follows the array API; the measures are the same
functions as everywhere in Gainful.

>>> import numpy as np
>>> from gainful.batch import evaluate
>>> evaluate(np.array([[0.2, 0.9]]), np.array([[1, 0]]), "nDCG@10")["nDCG@10"].round(4)
array([0.6309])
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
