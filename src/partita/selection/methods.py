"""How good is a clustering into k clusters? Each method gives a value, larger is better, and a standard deviation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..stability.baselines import Baseline, permuted, same_centers
from ..stability.tuning import Curve, mean_curve, tune_theta
from .clustering import Clustering
from .fits import PERMUTED, SAME_CENTERS, Bench, Value, nearest_curve
from .subsample import SCHEMES, subsample


def tuned_difference(curve: Curve, baselines: list[Curve]) -> Value:
    """Average stability less that of the baselines at the theta where it is greatest, and its standard deviation."""
    theta = tune_theta(curve, baselines)
    spread = np.std([baseline(theta)[0] for baseline in baselines], ddof=1) if len(baselines) > 1 else 0.0
    return curve(theta)[0] - mean_curve(baselines)(theta)[0], float(spread)


def stability_permutation(bench: Bench) -> dict[int, Value]:
    """Stability against permuted distances."""
    return _stability(bench, PERMUTED, lambda found: permuted(found.distances(bench.X)))


def stability_uniform(bench: Bench) -> dict[int, Value]:
    """Stability against uniform data with the same centres."""
    return _stability(bench, SAME_CENTERS, lambda found: same_centers(bench.X, found.centers))


def _stability(bench: Bench, purpose: int, null: Callable[[Clustering], Baseline]) -> dict[int, Value]:
    def one(k: int) -> Value:
        sample = null(bench.clusterings[k])
        baselines = [nearest_curve(sample(bench.rng(purpose, k, b))) for b in range(bench.n_baselines)]
        return tuned_difference(nearest_curve(bench.clusterings[k].distances(bench.X)), baselines)

    _ = bench.clusterings  # made here, in parallel
    return bench.run("Stability", one, list(bench.ks))


def stability_recluster(bench: Bench) -> dict[int, Value]:
    """Stability against uniform data clustered again."""

    def one(k: int) -> Value:
        own = nearest_curve(bench.clusterings[k].distances(bench.X))
        return tuned_difference(own, [bench.nulls[k, b][1] for b in range(bench.n_baselines)])

    return {k: one(k) for k in bench.ks}


def gap(bench: Bench) -> dict[int, Value]:
    """Gap statistic: log within-cluster sum of squares of uniform data less that of the data."""

    def one(k: int) -> Value:
        null = np.array([bench.nulls[k, b][0] for b in range(bench.n_baselines)])
        spread = null.std(ddof=1) if null.size > 1 else 0.0
        return float(null.mean() - bench.clusterings[k].within(bench.X)), float(spread)

    return {k: one(k) for k in bench.ks}


def silhouette(bench: Bench) -> dict[int, Value]:
    """Mean silhouette and its standard error; not defined for one cluster or for as many as items."""
    from sklearn.metrics import silhouette_samples

    def one(k: int) -> Value:
        values = silhouette_samples(bench.X, bench.clusterings[k].labels)
        return float(values.mean()), float(values.std() / np.sqrt(values.size))

    return {k: one(k) for k in bench.ks if 1 < bench.clusterings[k].labels.max() + 1 < len(bench.X)}


METHODS: dict[str, Callable[[Bench], dict[int, Value]]] = {
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
