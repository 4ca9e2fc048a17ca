"""What is tested is what is written: the compiled cache is named after the kernels it was compiled from."""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).parent

digest = hashlib.sha256()
for package in ("_kernels", "components"):
    for source in sorted((ROOT / "src" / "partita" / package).rglob("*.py")):
        digest.update(source.read_bytes())
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / f"numba-{digest.hexdigest()[:16]}")
