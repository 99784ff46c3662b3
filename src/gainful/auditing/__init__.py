"""A model as a judge beside people: how far it agrees, whom it favours, which orders it turns, and what it saves.

people's judgments, model's labels ──▶ pairs that both judged ──▶ agreement, calibration
                                   └─▶ values of each system by both ──▶ favour, order, judgments saved, plan
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
