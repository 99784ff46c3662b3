from .moved import Difference as Difference, Moved as Moved, explain_difference as explain_difference
from .parts import Parts as Parts, parts_of as parts_of
from .teaching import Gains as Gains, gains as gains
from .worked import Explanation as Explanation, explain as explain
