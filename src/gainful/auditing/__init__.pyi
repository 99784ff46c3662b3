from .agreement_slices import Slice as Slice
from .audit_call import audit as audit
from .audit_result import Audit as Audit
from .judged_pairs import Calibration as Calibration
from .judgment_savings import PairSaving as PairSaving
from .judgment_savings import Savings as Savings
from .system_orders import Favour as Favour
from .system_orders import SystemOrder as SystemOrder
