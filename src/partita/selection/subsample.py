"""Agreement between the clustering of some items and that of all (Koepke 2008, section 5.1.3).

Three ways to pick some: ten draws of half the items; all but one of ten folds, the items left out then being predicted
by the nearest center; or one draw of each size from 10% to 90%. A draw of no more items than clusters is left out.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .._parallel import run_parallel
from .._typing import IntArray
from ..losses import VariationOfInformation
from .fits import DRAWS, FOLDS, SIZES, Setting, SharedFits, Value

N_DRAWS, N_FOLDS, SHARES = 10, 10, np.arange(1, 10) / 10
SCHEMES = {"draws": (DRAWS, N_DRAWS), "folds": (FOLDS, N_FOLDS), "sizes": (SIZES, len(SHARES))}


def subsample(fits: SharedFits, scheme: str, index: str) -> dict[int, Value]:
    """Mean agreement with the clustering of all items over subsamples, by number of clusters from two on."""
    agreement = fits.once(scheme, partial(_agreements, fits, scheme))
    column = {"ar": 0, "vi": 1}[index]
    values = {k: np.array([both[column] for job, both in agreement.items() if job[0] == k]) for k in fits.n_clusters}
    return {k: (float(v.mean()), float(v.std())) for k, v in values.items() if v.size}


def _agreements(fits: SharedFits, scheme: str) -> dict[tuple[int, int], tuple[float, float]]:
    n_runs = SCHEMES[scheme][1]
    n_kept = [_n_kept(len(fits.X), scheme, run) for run in range(n_runs)]
    jobs = [(k, run) for k in fits.n_clusters for run in range(n_runs) if 1 < k < n_kept[run]]
    values = run_parallel(
        partial(_agreement, fits.setting, scheme),
        [(k, run, fits.clusterings[k].labels) for k, run in jobs],
        fits.n_jobs,
        "Subsamples",
    )
    return dict(zip(jobs, values, strict=True))


def _n_kept(n_items: int, scheme: str, run: int) -> int:
    if scheme == "sizes":
        return int(n_items * SHARES[run])
    return n_items // 2 if scheme == "draws" else n_items - len(range(run, n_items, N_FOLDS))


def _agreement(setting: Setting, scheme: str, job: tuple[int, int, IntArray]) -> tuple[float, float]:
    """Adjusted Rand index and minus the variation of information between the clusterings of a part and of the whole."""
    from sklearn.metrics import adjusted_rand_score

    k, run, labels = job
    purpose = SCHEMES[scheme][0]
    order = setting.rng(purpose, 0 if scheme == "folds" else run).permutation(len(labels))  # one split into folds
    kept = np.delete(order, np.s_[run::N_FOLDS]) if scheme == "folds" else order[: _n_kept(len(labels), scheme, run)]
    found = setting.fit(setting.X[kept], k, setting.rng(purpose, run, k))
    mine: IntArray = found.labels
    if scheme == "folds":
        mine, kept = found.distances(setting.X).argmin(axis=1), np.arange(len(labels))
    return float(adjusted_rand_score(labels[kept], mine)), -VariationOfInformation().between(labels[kept], mine)
