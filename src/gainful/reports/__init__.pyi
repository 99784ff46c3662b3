from .page import Report as Report
from .verb import report as report
