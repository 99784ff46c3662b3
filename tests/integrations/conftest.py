"""Nothing of these tools calls home, asks the Hub, or writes outside of the folders that tests make."""

import os

for name in ("DO_NOT_TRACK", "RAGAS_DO_NOT_TRACK", "MLFLOW_DISABLE_TELEMETRY", "HF_HUB_OFFLINE"):
    os.environ[name] = "true"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
