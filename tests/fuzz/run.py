"""Fuzz every public callable and every reader of files: ``python tests/fuzz/run.py --calls 100000``.

Counts calls by class: fine, refused (in a sentence that names the argument), and those that must be zero: obscure
errors, wrong results (NaN, or a probability outside 0 to 1), hangs and crashes. Ends with 1 where one is not.
"""

import argparse
import collections
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent
WRONG = ("obscure", "wrong", "hang", "crash")
OFTEN = 1000  # calls from one line of progress to the next
PATIENCE = 180.0  # seconds for one call; the first of a kind compiles


def lines_of(process):
    """Lines that a process prints, as they come, and None at its end."""
    lines = queue.Queue()

    def read():
        with process.stdout as said:
            for line in said:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def fuzz(n_calls, seed, patience=PATIENCE, begin=0):
    """Outcomes of calls: (class, name, what was changed, what was said)."""
    number = begin
    with tempfile.TemporaryDirectory() as folder:
        known = {**os.environ, "FUZZ_FOLDER": folder, "MPLBACKEND": "agg"}
        while number < begin + n_calls:
            command = [sys.executable, str(HERE / "worker.py"), str(number), str(begin + n_calls), str(seed)]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=known)
            lines, call, over = lines_of(process), None, False
            while True:
                try:
                    line = lines.get(timeout=patience if call else 5 * patience)
                except queue.Empty:
                    over = True
                    break
                if line is None:
                    break
                said = json.loads(line)
                if "number" in said:
                    call = said
                else:
                    yield said["outcome"], call["name"], call["changed"], said["said"]
                    number, call = call["number"] + 1, None
            process.kill()
            code = process.wait()
            if call is not None:
                outcome = "hang" if over else "crash"
                yield outcome, call["name"], call["changed"], "" if over else f"exit code {code}"
                number = call["number"] + 1
            elif number < begin + n_calls:
                raise RuntimeError(f"the worker ended by itself: exit code {code}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--begin", type=int, default=0, help="Number of the first call.")
    options = parser.parse_args()
    counts, places = collections.Counter(), set()
    for outcome, name, changed, said in fuzz(options.calls, options.seed, begin=options.begin):
        counts[outcome] += 1
        if counts.total() % OFTEN == 0:
            print(f"{counts.total()} calls", file=sys.stderr, flush=True)
        if outcome in WRONG and (place := (outcome, name, said[:90])) not in places:
            places.add(place)
            print(f"{outcome:8} {name} {changed}: {said}", flush=True)
    print(", ".join(f"{name}: {counts[name]}" for name in ("fine", "refused", *WRONG)))
    return int(any(counts[name] for name in WRONG))


if __name__ == "__main__":
    sys.exit(main())
