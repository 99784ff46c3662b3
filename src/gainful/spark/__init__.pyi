from .frame_evaluation import SparkScores as SparkScores, evaluate as evaluate
from .stream_delivery import Profiles as Profiles, deliver as deliver
