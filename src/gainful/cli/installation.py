"""What `gainful --version` tells beside the number: which core runs, and what it was installed from."""

from __future__ import annotations

import json
from importlib import metadata


def installation() -> str:
    """The core, and the wheel's tag; or that it was installed from a folder.

    >>> installation().partition(" · ")[0]
    'native core'
    """
    from gainful._core import KIND

    return f"{KIND} core · {_origin()}"


def _origin() -> str:
    try:
        distribution = metadata.distribution("gainful")
    except metadata.PackageNotFoundError:
        return "not installed (run from its source)"
    direct = json.loads(distribution.read_text("direct_url.json") or "{}")
    if direct.get("dir_info", {}).get("editable"):
        return "editable install"
    lines = (distribution.read_text("WHEEL") or "").splitlines()
    tags = [line.removeprefix("Tag: ") for line in lines if line.startswith("Tag: ")]
    place = "built from source, wheel" if direct.get("dir_info") is not None else "wheel"
    return f"{place} {', '.join(tags)}" if tags else "installed without a wheel"
