"""The blocked sampler with torch on a GPU: absolute times, and the same labels as numpy.

    PYTHONPATH=src python benchmarks/scale_gpu.py

Needs torch, numpy, scipy, scikit-learn and numba. Where lazy-loader, psutil or array-api-compat is missing, what it
does here is done without. Without a GPU torch's own processor code runs, on fewer items.
"""

import importlib.util
import os
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import torch


def do_without():
    """Let the parts of partita that are measured be imported where some of its libraries are missing."""
    missing = [name for name in ("lazy_loader", "psutil", "array_api_compat") if importlib.util.find_spec(name) is None]
    if "lazy_loader" in missing:
        sys.modules["partita"] = package = ModuleType("partita")
        package.__path__ = [str(Path(__file__).parents[1] / "src" / "partita")]
    if "psutil" in missing:
        sys.modules["psutil"] = psutil = ModuleType("psutil")
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        psutil.virtual_memory = lambda: SimpleNamespace(available=free)
    if "array_api_compat" in missing:
        from sklearn.externals import array_api_compat
        from sklearn.externals.array_api_compat import torch as namespace

        sys.modules["array_api_compat"], sys.modules["array_api_compat.torch"] = array_api_compat, namespace


do_without()

from partita.components import Gaussian, Student  # noqa: E402
from partita.partitions import canonical  # noqa: E402
from partita.priors import MixtureOfFiniteMixtures  # noqa: E402
from partita.samplers import blocked, collapsed  # noqa: E402
from partita.samplers.engines.array import ArrayEngine  # noqa: E402
from partita.samplers.engines.torch import torch_engine  # noqa: E402

GPU = torch.cuda.is_available()


def synchronize():
    if GPU:
        torch.cuda.synchronize()


def make_problem(n_items, d, n_clusters, component, engine):
    """Normal clusters whose neighbors overlap a little, and their labels."""
    rng = np.random.default_rng(0)
    means = 1.6 * rng.normal(size=(n_clusters, d)) * np.sqrt(8 / d)
    labels = rng.integers(n_clusters, size=n_items)
    encoded = component.encode(means[labels] + rng.normal(size=(n_items, d)))
    return blocked.make_problem(collapsed.make_problem(encoded, MixtureOfFiniteMixtures()), engine), canonical(labels)


def kept_draws(n_items, n_draws):
    """Whole draws: split-merge proposals, single items, a label step, hyperparameters, labels brought home."""
    problem, labels = make_problem(n_items, 8, 20, Gaussian("full"), torch_engine)
    state = blocked.init(problem, labels, np.random.default_rng(0))
    state, _ = blocked.sweep(problem, state, 2)
    synchronize()
    start = time.perf_counter()
    state, chain = blocked.sweep(problem, state, n_draws)
    took = time.perf_counter() - start
    clusters = np.unique(chain.draws.max(axis=1) + 1)
    print(f"{n_items} x 8, 20 clusters, full: {took:.2f} s for {n_draws} kept draws (bar: 30 s); clusters {clusters}")


def label_steps(n_items, d, n_clusters):
    """Parameters, all labels and sums, per sweep."""
    problem, labels = make_problem(n_items, d, n_clusters, Gaussian("full", scale="variance"), torch_engine)
    config = blocked.configure(problem, blocked.init(problem, labels, np.random.default_rng(0)))
    with blocked.one_blas_thread():  # as in every sweep
        for _ in range(3):
            blocked.draw_labels(problem, config)
        synchronize()
        start = time.perf_counter()
        for _ in range(10):
            blocked.draw_labels(problem, config)
        synchronize()
        took = (time.perf_counter() - start) / 10
    memory = f", {torch.cuda.max_memory_allocated() / 1e9:.1f} GB" if GPU else ""
    print(f"{n_items} x {d}, {n_clusters} clusters, full: {1e3 * took:.2f} ms a sweep (bar: 25 ms){memory}")


def agreement(n_items):
    """Share of labels, over a few draws from the same seed, on which torch and numpy differ."""
    found = []
    for engine in (ArrayEngine, torch_engine):
        problem, labels = make_problem(n_items, 8, 20, Student(), engine)
        state = blocked.init(problem, labels, np.random.default_rng(1))
        found.append(blocked.sweep(problem, state, 5)[1])
    differing = (found[0].draws != found[1].draws).mean()
    apart = np.abs(found[0].log_posterior / found[1].log_posterior - 1).max()
    print(
        f"numpy and torch, {n_items} items, 5 draws: {differing:.1e} of the labels differ, log densities by {apart:.1e}"
    )


if __name__ == "__main__":
    print(torch.__version__, torch.cuda.get_device_name() if GPU else "cpu", flush=True)
    agreement(20_000)
    label_steps(1_000_000 if GPU else 20_000, 32, 100)
    kept_draws(1_000_000 if GPU else 20_000, 1000 if GPU else 20)
