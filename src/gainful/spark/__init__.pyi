from .frame_evaluation import evaluate as evaluate
from .spark_scores import SparkScores as SparkScores
from .stream_delivery import Profiles as Profiles, deliver as deliver
