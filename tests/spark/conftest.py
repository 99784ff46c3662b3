"""One Spark session at a time, on the master that a test asks for; clusters of real processes."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

# A module beside this file; pytest imports tests without putting their folder on the path.
_spec = importlib.util.spec_from_file_location("spark_data", Path(__file__).parent / "data.py")
sys.modules["spark_data"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules["spark_data"])


def require(there: object, what: str) -> None:
    """Skip where something is not installed; on a server for tests that is a fault."""
    if not there:
        reason = f"{what} is not there: `pip install 'gainful[spark]'`, and Java 17"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def _pyspark():
    require(importlib.util.find_spec("pyspark"), "pyspark")


class Sessions:
    """The session of this process: kept while tests ask for the same master, replaced when they ask for another."""

    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
    """Options of a Java that lives for seconds: it compiles little, checks no classes, and leaves the cores to the work."""

    def __init__(self) -> None:
        self._master, self._session = None, None

    def on(self, master, **settings):
        if self._master != master:
            from pyspark.sql import SparkSession

            self.stop()
            builder = SparkSession.builder.master(master).appName("gainful tests")
            for name, value in {
                "spark.ui.enabled": "false",
                "spark.ui.showConsoleProgress": "false",
                "spark.sql.shuffle.partitions": "2",
                "spark.driver.extraJavaOptions": self.java,
                "spark.executor.extraJavaOptions": self.java,
                "spark.log.level": "OFF",
                "spark.driver.host": "127.0.0.1",
                "spark.driver.bindAddress": "127.0.0.1",
                **settings,
            }.items():
                builder = builder.config(name, value)
            self._session, self._master = builder.getOrCreate(), master
        return self._session

    def stop(self) -> None:
        if self._session is not None:
            self._session.stop()
        self._master, self._session = None, None


@pytest.fixture(scope="session")
def sessions(_pyspark):
    require(shutil.which("java") or os.environ.get("JAVA_HOME"), "Java")
    before = {name: os.environ.get(name) for name in ("SPARK_LOCAL_IP", "PYSPARK_PYTHON")}
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    held = Sessions()
    yield held
    held.stop()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


@pytest.fixture
def spark(sessions):
    """Spark in this process, on two threads."""
    return sessions.on("local[2]")
