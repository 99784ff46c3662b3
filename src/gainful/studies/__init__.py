"""Studies: from runs without judgments to a decision, with no more reading than it takes.

A study is a folder of plain files: which documents people should judge, why each is there and with what probability
it was drawn, who judges what, and what was answered.

    runs ──pooling──▶ study/ ──judging page──▶ answers ──collecting──▶ judgments ──sequential_decision──▶ decided,
                        ▲                                                                    │           or
                        └──────────────────────────── next batch ────────────────────────────┘           the next batch
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
