"""The five papers in one table: claim, paper, ours, verdict.

python benchmarks/papers/all.py --quick | --full [--data ../shared/data]

With ``--quick`` under 30 minutes on two cores. Each script alone, with ``--figures``, writes
what ``docs/papers`` shows.
"""

import argparse
import importlib
import time
from pathlib import Path

from claims import print_claims

PAPERS = ("dalton", "wade", "clwc", "koepke", "rigon")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="As many repetitions as the pages show.")
    parser.add_argument("--quick", action="store_true", help="Fewer of them (what is done without --full too).")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="Folder with uci/ and wade/.")
    parser.add_argument("--only", choices=PAPERS, nargs="+", default=PAPERS)
    given = parser.parse_args()
    claims = []
    for name in given.only:
        began = time.perf_counter()
        claims += importlib.import_module(name).claims(quick=not given.full, data=given.data)
        print(f"{name}: {(time.perf_counter() - began) / 60:.1f} minutes", flush=True)
    print_claims(claims)


if __name__ == "__main__":
    main()
