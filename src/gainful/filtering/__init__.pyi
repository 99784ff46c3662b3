from .analyzer import Analyzer as Analyzer
from .document import Document as Document, Topic as Topic
from .learner import Schedule as Schedule
from .replay import Feedback as Feedback
from .rule_text import Rule as Rule
from .simulation import Simulation as Simulation
from .simulation_run import simulate as simulate
from .state.filter import Filter as Filter
from .stream_reader import read_stream as read_stream, read_topics as read_topics
from .theta_opt_and_zero import LinearUtility as LinearUtility
from .threshold_registry import Threshold as Threshold, threshold_rule as threshold_rule
from .threshold_rules import (
    beta_gamma as beta_gamma,
    expected as expected,
    fixed as fixed,
    none as none,
    optimum as optimum,
    ratio as ratio,
    zero as zero,
)
from .profile_models import Regression as Regression, Rocchio as Rocchio
