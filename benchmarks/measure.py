"""Time and memory, measured the same way in every benchmark."""

import multiprocessing
import re
import resource
import time
from pathlib import Path


def seconds(function, repeats=5):
    """Least time of a few calls, after one that compiles and warms up."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def _peak(function, arguments, results):
    function(*arguments)
    results.put(_high_water_kilobytes() / 1024)


def _high_water_kilobytes():
    """Most memory this process has held. ru_maxrss begins at the parent's, so it is asked only where it must be."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s*(\d+)", status.read_text())[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def peak_megabytes(function, *arguments):
    """Peak memory of a fresh process that makes one call, in MB; the interpreter and its libraries count."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_peak, args=(function, arguments, results))
    process.start()
    process.join()
    if process.exitcode != 0:
        raise SystemExit(f"{function.__name__}{arguments} failed")
    return results.get()


def row(what, value, target=""):
    """One line of a benchmark's table."""
    print(f"{what:<78} {value:>14} {target}", flush=True)
