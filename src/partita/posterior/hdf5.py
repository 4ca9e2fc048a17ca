"""Look at an HDF5 file in a process of its own before it is read in ours.

The HDF5 library believes what a file says about itself: one flipped byte can send it into a loop that nothing
interrupts, or end the process. A process that looks first can be ended instead.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

LONGEST = 30.0  # seconds
SMALL = 2**24  # bytes of a dataset that is read whole


def check_hdf5(path: Path) -> None:
    """Refuse a file whose objects cannot be visited in a while; what merely raises is left to who reads it."""
    if not sys.executable:  # Python inside another program
        return
    command = [sys.executable, "-P", __file__, str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        run = subprocess.run(command, env=environment, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        raise OSError(f"looking at its parts did not end in {LONGEST:.0f} s") from None
    if run.returncode not in (0, 1):  # 1 is an exception of Python's
        raise OSError(f"the HDF5 library crashed on it (exit code {run.returncode})")


def visit(path: str) -> None:
    """Read all attributes, scales and small datasets of a file."""
    import h5py

    def look(_: str, part: Any) -> None:
        for name in part.attrs:
            part.attrs[name]
        if isinstance(part, h5py.Dataset):
            for scales in part.dims:
                list(scales.values())
            if part.nbytes <= SMALL:
                part[()]

    with h5py.File(path, "r") as file:
        look("/", file)
        file.visititems(look)


if __name__ == "__main__":
    visit(sys.argv[1])
