from .by_hand import judged_by as judged_by, judged_run as judged_run
from .ranking import (
    PerTopic as PerTopic,
    Ranking as Ranking,
    is_numpy as is_numpy,
    log2 as log2,
    namespace as namespace,
    part as part,
    ratio as ratio,
    share as share,
)
from .record import JudgedRun as JudgedRun
