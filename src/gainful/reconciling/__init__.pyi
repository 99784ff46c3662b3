from .convention_effects import Effect as Effect, effects_on as effects_on
from .convention_walk import Walk as Walk
from .reconcile_call import between as between, readings_of as readings_of, reconcile as reconcile
from .reconciliation import Reconciliation as Reconciliation
