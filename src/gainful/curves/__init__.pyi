from .kinds import curve as curve
from .operating import roc as roc
from .points import Band as Band, Curve as Curve, Curves as Curves
from .ranks import by_rank as by_rank
from .reading import effort as effort
from .recall import precision_recall as precision_recall, raw_points as raw_points
from .sheets import Asked as Asked
