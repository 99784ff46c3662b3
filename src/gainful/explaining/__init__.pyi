from .contributions import Parts as Parts, parts_of as parts_of
from .lists_by_hand import Gains as Gains, gains as gains
from .explanation import (
    Difference as Difference,
    Explanation as Explanation,
    Moved as Moved,
)
from .explain_call import explain as explain, explain_difference as explain_difference
