"""`python -m docs.website build/site` builds the site; `make site` does the same."""

import sys
from pathlib import Path

from docs.website.site_build import build

build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/site").resolve())
