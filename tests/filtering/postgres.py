"""A PostgreSQL server for tests, from Debian's packages: in a temporary folder, on a socket there, ended with the tests.

tests/conftest.py has its fixtures: `postgres_server`, one for each worker, and `postgres`, the address of a fresh database.
"""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

QUICK = ("fsync=off", "shared_buffers=16MB", "max_connections=60", "autovacuum=off")


class Server:
    """One cluster. Nothing but its socket leads to it, which lies in its folder.

    A kill of the server leaves the files as they are; the system still writes what was not synchronised, so that tests
    need no synchronisation.
    """

    def __init__(self, folder, *, settings=QUICK):
        self.folder = Path(folder)
        root = os.geteuid() == 0  # as whom it refuses to run
        self._as = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if root else ["setpriv"]
        )
        self._settings = [word for setting in settings for word in ("-c", setting)]
        self._numbers = itertools.count(1)
        self.process = None
        if root:
            shutil.chown(self.folder, "postgres", "postgres")
        how = [
            "-A",
            "trust",
            "-U",
            "gainful",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
            "--wal-segsize=1",
        ]
        initdb = [*self._as, program("initdb"), "-D", str(self.folder / "data"), *how]
        subprocess.run(initdb, check=True, capture_output=True, cwd="/")

    def start(self):
        """Start, and wait until it answers; after a kill the old processes may take a moment to go."""
        for _ in range(100):
            command = [
                *(*self._as, "--pdeathsig=QUIT"),  # it does not outlive the tests, however they end
                *(program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)),
                *("-c", "listen_addresses=", *self._settings),
            ]
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
            if self._answers():
                return self
            self.process.wait()
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def _answers(self):
        """Whether it accepts connections; False once the process has ended."""
        import psycopg

        while self.process.poll() is None:
            try:
                psycopg.connect(self.address("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return True
        return False

    def address(self, database):
        return f"postgresql://gainful@/{database}?host={self.folder}"

    def database(self):
        """The address of a new, empty database."""
        import psycopg

        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def kill(self):
        """Kill the server as the system would when memory is short; its children notice and end."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # waits for nobody and writes nothing any more
            self.process.wait(timeout=60)


def program(name):
    """One of PostgreSQL's programs, which Debian keeps out of the path."""
    there = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) if not there else str(there[-1])


@pytest.fixture(scope="session")
def postgres_server():
    """A server that runs."""
    pytest.importorskip("psycopg")
    if program("postgres") is None:
        reason = "PostgreSQL is not installed (Debian's package postgresql)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    memory = Path("/dev/shm")  # where there is room, for databases are hundreds of files each
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 30
    folder = tempfile.mkdtemp(prefix="gainful-postgres-", dir=memory if roomy else None)
    server = Server(folder)
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_server):
    """The address of a fresh database."""
    return postgres_server.database()
