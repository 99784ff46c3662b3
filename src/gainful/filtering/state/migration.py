"""Versions of the file: an older one is brought to this version, and a copy of it is kept."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from gainful.filtering.state.schema import STEPS, VERSION
from gainful.filtering.state.sqlite_file import Store, take_name


def copy_of(store: Store) -> Path:
    """A copy of an older file beside it, whole, under a name that ends in the version and that no file has yet.

    Nobody else may write meanwhile; the connection that keeps them out cannot read for a copy itself.
    """
    target = store.path.with_name(f"{store.path.name}.v{store.version}")
    number = 1
    while target.exists():
        number += 1
        target = store.path.with_name(f"{store.path.name}.v{store.version}-{number}")
    making = target.with_name(f"{target.name}.part")
    making.unlink(missing_ok=True)
    making.touch(mode=0o600)
    with (
        store.speaking(),
        closing(sqlite3.connect(f"{store.path.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(making)) as copy,
    ):
        source.backup(copy)
    making.chmod(store.path.stat().st_mode & 0o777)
    handle = os.open(making, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    take_name(making, target)
    making.unlink(missing_ok=True)
    return target


def copies_of(path: Path) -> list[Path]:
    """Copies of older versions beside a file, whole or not, by the names that `copy_of` gives them."""
    named = re.compile(rf"{re.escape(path.name)}\.v\d+(-\d+)?(\.part)?")
    return sorted(one for one in path.absolute().parent.iterdir() if named.fullmatch(one.name))


def migrate(store: Store) -> None:
    """Bring the log of an older file to this version, within the transaction under way."""
    for version in range(store.version, VERSION):
        store.script(STEPS[version])
    store.empty_derived()
    store.execute(f"PRAGMA user_version = {VERSION:d}")
