from .run_difference import Difference as Difference, Moved as Moved, explain_difference as explain_difference
from .contributions import Parts as Parts, parts_of as parts_of
from .gain_lists import Gains as Gains, gains as gains
from .explanation import Explanation as Explanation, explain as explain
