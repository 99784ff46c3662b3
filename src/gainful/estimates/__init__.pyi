from .estimator_registry import Estimate as Estimate
from .estimator_registry import estimate as estimate
from .estimator_registry import estimator as estimator
from .estimator_registry import has_estimator as has_estimator
from .open_rank_bounds import bounds_by_topic as bounds_by_topic
