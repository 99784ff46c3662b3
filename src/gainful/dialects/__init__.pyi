from .dialect_registry import (
    Dialect as Dialect,
    Spelled as Spelled,
    dialect as dialect,
    every as every,
    find as find,
)
from .dialect_scores import evaluate as evaluate, score_in as score_in
