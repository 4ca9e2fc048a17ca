"""Selection methods: a value for each number of clusters, larger is better, and its standard deviation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from .._parallel import run_parallel
from ..stability.baselines import Baseline, Permuted, SameCenters
from ..stability.tuning import Curve, mean_curve, tune_theta
from .clustering import Clustering
from .fits import PERMUTED, SAME_CENTERS, Setting, SharedFits, Value, nearest_curve
from .subsample import SCHEMES, subsample


def tuned_difference(curve: Curve, baselines: list[Curve]) -> Value:
    """Greatest difference over theta between average stability and that of the baselines, and its deviation."""
    theta = tune_theta(curve, baselines)
    spread = np.std([baseline(theta)[0] for baseline in baselines], ddof=1) if len(baselines) > 1 else 0.0
    return curve(theta)[0] - mean_curve(baselines)(theta)[0], float(spread)


def stability_permutation(fits: SharedFits) -> dict[int, Value]:
    """Stability above that of permuted distances."""
    return _stability(fits, PERMUTED)


def stability_uniform(fits: SharedFits) -> dict[int, Value]:
    """Stability above that of uniform data with the same centers."""
    return _stability(fits, SAME_CENTERS)


def _stability(fits: SharedFits, purpose: int) -> dict[int, Value]:
    jobs = list(fits.clusterings.items())
    values = run_parallel(
        partial(_stability_of, fits.setting, purpose, fits.n_baselines), jobs, fits.n_jobs, "Stability"
    )
    return dict(zip(fits.n_clusters, values, strict=True))


def _stability_of(setting: Setting, purpose: int, n_baselines: int, job: tuple[int, Clustering]) -> Value:
    k, found = job
    distances = found.distances(setting.X)
    null: Baseline = Permuted(distances) if purpose == PERMUTED else SameCenters.around(setting.X, found.centers)
    baselines = [nearest_curve(null(setting.rng(purpose, k, b))) for b in range(n_baselines)]
    return tuned_difference(nearest_curve(distances), baselines)


def stability_recluster(fits: SharedFits) -> dict[int, Value]:
    """Stability above that of uniform data clustered again."""

    def one(k: int) -> Value:
        own = nearest_curve(fits.clusterings[k].distances(fits.X))
        return tuned_difference(own, [fits.nulls[k, b][1] for b in range(fits.n_baselines)])

    return {k: one(k) for k in fits.n_clusters}


def gap(fits: SharedFits) -> dict[int, Value]:
    """Gap statistic: log within-cluster sum of squares of uniform data less that of the data."""

    def one(k: int) -> Value:
        null = np.array([fits.nulls[k, b][0] for b in range(fits.n_baselines)])
        spread = null.std(ddof=1) if null.size > 1 else 0.0
        return float(null.mean() - fits.clusterings[k].within(fits.X)), float(spread)

    return {k: one(k) for k in fits.n_clusters}


def silhouette(fits: SharedFits) -> dict[int, Value]:
    """Mean silhouette and its standard error; not defined for one cluster or for as many as items."""
    from sklearn.metrics import silhouette_samples

    def one(k: int) -> Value:
        values = silhouette_samples(fits.X, fits.clusterings[k].labels)
        return float(values.mean()), float(values.std() / np.sqrt(values.size))

    return {k: one(k) for k in fits.n_clusters if 1 < fits.clusterings[k].labels.max() + 1 < len(fits.X)}


METHODS: dict[str, Callable[[SharedFits], dict[int, Value]]] = {
    "stability-permutation": stability_permutation,
    "stability-uniform": stability_uniform,
    "stability-recluster": stability_recluster,
    "gap": gap,
    **{
        f"subsample-{scheme}-{index}": partial(subsample, scheme=scheme, index=index)
        for scheme in SCHEMES
        for index in ("ar", "vi")
    },
    "silhouette": silhouette,
}
ALIASES = {
    "stability": "stability-permutation",
    "subsample-draws": "subsample-draws-vi",
    "subsample-folds": "subsample-folds-vi",
    "subsample-sizes": "subsample-sizes-vi",
}
