from .checking import Checkup as Checkup, check as check
from .comparisons import Comparison as Comparison, compare as compare, gate as gate
from .curves import Curve as Curve, Curves as Curves, curve as curve
from .explaining import explain as explain, explain_difference as explain_difference, gains as gains
from .formats import Judgments as Judgments, Run as Run, read_qrels as read_qrels, read_run as read_run
from .judging import JudgedRun as JudgedRun, judged_run as judged_run
from .judging.settings import Settings as Settings
from .measures import Measure as Measure, measure as measure, parse as parse
from .reports import Report as Report, report as report
from .scores import Scores as Scores, evaluate as evaluate

__version__: str

def __getattr__(name: str) -> Measure: ...
