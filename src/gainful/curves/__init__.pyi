from .curve_call import curve as curve
from .recall_curves import roc as roc
from .curve_data import Band as Band, Curve as Curve, Curves as Curves
from .rank_curves import by_rank as by_rank
from .rank_curves import effort as effort
from .recall_curves import precision_recall as precision_recall, raw_points as raw_points
from .topic_averages import CurveOptions as CurveOptions
