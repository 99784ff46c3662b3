from .accumulator import Accumulator as Accumulator
from .dense_delivery import Deliveries as Deliveries, deliver as deliver
from .dense_evaluation import evaluate as evaluate
