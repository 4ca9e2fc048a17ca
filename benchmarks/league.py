"""The default mixture among clusterers that must find the number of clusters themselves, on tables with known groups.

    python benchmarks/league.py [SHARED] [--quick] [--controls] [options of the league or of the controls]

SHARED is the folder that holds ``bench/league.py`` and ``data/league`` (not part of this repository; its README says
where its tables come from). ``--quick`` takes 250 draws per chain. ``--controls`` asks instead for clusters where
there are none, and how often the 95 % credible ball holds the truth.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import watched
from controls import controls
from measure import row

BARS = "bars: mean ARI >= 0.72 (0.68 is the floor), won or within .02 on >= 16 of 27, median |log2 K/true| <= 0.26"


def league(shared, quick, options):
    script = shared / "bench" / "league.py"
    if not script.exists():
        print(f"The league is not in {shared}: nothing to run.")
        return
    model = f"__import__('watched').WatchedMixture({'n_draws=250' if quick else ''})"
    with tempfile.TemporaryDirectory() as folder:
        seen = Path(folder) / "seen"
        here = str(Path(__file__).parent)
        environment = {**os.environ, watched.FILE: str(seen), "PYTHONPATH": os.pathsep.join([here, *sys.path[1:]])}
        subprocess.run([sys.executable, str(script), "--partita", model, *options], check=True, env=environment)
        print(BARS)
        report_chains(shared, options, [json.loads(line) for line in seen.read_text().splitlines()])


def report_chains(shared, options, seen):
    """Whether the chains agree, table by table, and on how many."""
    given = argparse.ArgumentParser()
    given.add_argument("--sets")
    given.add_argument("--seeds", type=int, default=1)
    known, _ = given.parse_known_args(options)
    names = known.sets.split(",") if known.sets else sorted(p.stem for p in (shared / "data" / "league").glob("*.csv"))
    for at, fit in enumerate(seen):
        verdict = "chains agree" if fit["mixed"] else "CHAINS DIFFER"
        row(f"{names[at // known.seeds]}: {verdict} after a warm-up of", f"{fit['n_warmup']} draws")
    row("share of fits in which chains agree", f"{sum(fit['mixed'] for fit in seen) / len(seen):.2f}", ">= 0.80")


if __name__ == "__main__":
    given = sys.argv[1:]
    folder = Path(given.pop(0)) if given and not given[0].startswith("--") else Path("../shared")
    flags = [flag for flag in ("--quick", "--controls") if flag in given]
    rest = [option for option in given if option not in flags]
    if "--controls" in flags:
        options = argparse.ArgumentParser()
        options.add_argument("--seeds", type=int, default=20)
        options.add_argument("--sets", type=int, default=150)
        options.add_argument("--only", default="one-cluster,coverage,calibration")
        asked = options.parse_args(rest)
        controls(asked.seeds, asked.sets, asked.only.split(","))
    else:
        league(folder, "--quick" in flags, rest)
