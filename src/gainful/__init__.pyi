import gainful.measures as _measures

from .auditing import Audit as Audit, audit as audit
from .checking import Checkup as Checkup, check as check
from .comparisons import Comparison as Comparison, compare as compare, gate as gate
from .dialects import evaluate as evaluate
from .curves import Curve as Curve, Curves as Curves, curve as curve
from .explaining import explain as explain, explain_difference as explain_difference, gains as gains
from .formats import Judgments as Judgments, Run as Run, read_qrels as read_qrels, read_run as read_run
from .formats.model_labels import judgments as judgments
from .integrations import install_as as install_as
from .judging import JudgedRun as JudgedRun, judged_run as judged_run
from .judging.settings import Settings as Settings
from .measures import Measure as Measure, measure as measure, parse as parse
from .reconciling import Reconciliation as Reconciliation, reconcile as reconcile
from .reports import Report as Report, report as report
from .scores import Scores as Scores
from .studies import Study as Study, next_step as next_step, pool as pool, read_study as read_study

__version__: str

# Measures, as `make docs` writes them.
Accuracy: _measures._Accuracy
alpha_DCG: _measures._alpha_DCG
alpha_nDCG: _measures._alpha_nDCG
AP: _measures._AP
AP_avgjg: _measures._AP_avgjg
AP_IA: _measures._AP_IA
binG: _measures._binG
BPM: _measures._BPM
Bpref: _measures._Bpref
CG: _measures._CG
Compat: _measures._Compat
Coverage: _measures._Coverage
DCG: _measures._DCG
ERR: _measures._ERR
ERR_IA: _measures._ERR_IA
F: _measures._F
Fallout: _measures._Fallout
G: _measures._G
Hole: _measures._Hole
infAP: _measures._infAP
INSQ: _measures._INSQ
INST: _measures._INST
IPrec: _measures._IPrec
IPrecAvg: _measures._IPrecAvg
Judged: _measures._Judged
JudgePrefs: _measures._JudgePrefs
NCG: _measures._NCG
NCU: _measures._NCU
nDCG: _measures._nDCG
nDCGrel: _measures._nDCGrel
nERR: _measures._nERR
NERR10: _measures._NERR10
NERR11: _measures._NERR11
NERR8: _measures._NERR8
NERR9: _measures._NERR9
nERR_IA: _measures._nERR_IA
nNRBP: _measures._nNRBP
Novelty: _measures._Novelty
NRBP: _measures._NRBP
NumNonrelJudgedRet: _measures._NumNonrelJudgedRet
NumPrefs: _measures._NumPrefs
NumPrefsFul: _measures._NumPrefsFul
NumQ: _measures._NumQ
NumRel: _measures._NumRel
NumRelRet: _measures._NumRelRet
NumRet: _measures._NumRet
O: _measures._O
P: _measures._P
P_avgjg: _measures._P_avgjg
P_IA: _measures._P_IA
PairPrefs: _measures._PairPrefs
Pmeasure: _measures._Pmeasure
Pplus: _measures._Pplus
Prefs: _measures._Prefs
Q: _measures._Q
R: _measures._R
RBP: _measures._RBP
RBPres: _measures._RBPres
RecallEffort: _measures._RecallEffort
RelP: _measures._RelP
RelRecall: _measures._RelRecall
Rndcg: _measures._Rndcg
Rprec: _measures._Rprec
Rprec_avgjg: _measures._Rprec_avgjg
RR: _measures._RR
SDCG: _measures._SDCG
SetAP: _measures._SetAP
SetF: _measures._SetF
SetP: _measures._SetP
SetR: _measures._SetR
SetRelP: _measures._SetRelP
statAP: _measures._statAP
StRecall: _measures._StRecall
Success: _measures._Success
T11F: _measures._T11F
T11SU: _measures._T11SU
T11U: _measures._T11U
T9P: _measures._T9P
T9U: _measures._T9U
Unjudged: _measures._Unjudged
Utility: _measures._Utility
xinfAP: _measures._xinfAP
