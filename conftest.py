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

# Doctests import modules one by one. A module of the same name as the function in it would take the function's place in
# the package, were the package not loaded before.
import partita  # noqa: E402
import partita.cli  # noqa: E402

for name in partita.__all__:
    getattr(partita, name)
