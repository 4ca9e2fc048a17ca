"""``partita warmup``: compile ahead what would else be compiled at its first use."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Annotated, Any

import typer

from .app import app, friendly_errors


@app.command()
def warmup(
    everything: Annotated[bool, typer.Option("--all", help="Also what is needed less often.")] = False,
    jobs: Annotated[int, typer.Option(help="Processes; -1 for all cores.")] = -1,
) -> None:
    """Compile what a first run would wait for: mixtures, estimates, credible balls and certainty.

    Once after each installation and each upgrade; what is compiled is kept for all later runs.

    Example: partita warmup --all
    """
    with friendly_errors():
        from .._progress import Progress

        names = [name for name in USES if everything or name in USUAL]
        began, n_jobs = time.monotonic(), (os.cpu_count() or 1) if jobs < 0 else max(1, jobs)
        context = multiprocessing.get_context("spawn")
        with Progress("Compiling", len(names)) as progress, ProcessPoolExecutor(n_jobs, context) as pool:
            running = {pool.submit(use, name): name for name in names}
            for done in as_completed(running):
                done.result()
                progress.advance(1, running[done])
        print(f"Compiled in {time.monotonic() - began:.0f} s: {', '.join(names)}.")


def use(name: str) -> None:
    """Use a part of the library for the first time, on a small table."""
    warnings.simplefilter("ignore")
    USES[name]()


def _table() -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    return rng.normal(size=(30, 2)) + 6 * rng.integers(2, size=(30, 1))


def _draws() -> Any:
    from ..datasets import make_noisy_draws

    return make_noisy_draws(30, 50, n_clusters=3, noise=0.1, random_state=0)[0]


def _mixture(component: str | None = None, table: Callable[[], Any] = _table) -> None:
    from ..clusterers import BayesianMixture

    chosen: dict[str, Any] = {} if component is None else {"component": component}
    BayesianMixture(**chosen, n_chains=2, n_draws=20, n_warmup=20, random_state=0).fit(table()).predict(table())


def _counts() -> Any:
    return abs(_table()).round()


def _mixed() -> Any:
    import pandas as pd

    table = pd.DataFrame(_table(), columns=["a", "b"])
    return table.assign(kind=["x", "y", "z"] * 10, count=_counts()[:, 0])


def _estimate() -> None:
    from ..decide import estimate_partition

    estimate_partition(_draws())


def _ball() -> None:
    from ..decide import credible_ball

    credible_ball(_draws())


def _certainty() -> None:
    from ..decide import assess_certainty

    assess_certainty(_draws())


def _generalized_bayes() -> None:
    from ..clusterers import GeneralizedBayesClustering

    GeneralizedBayesClustering(2, n_chains=2, n_draws=20, n_warmup=20, random_state=0).fit(_table())


def _bayes_clusterer() -> None:
    from ..pointprocess import BayesClusterer, GaussianPointProcess

    BayesClusterer(GaussianPointProcess.known([[0, 0], [6, 6]], covariances=1.0), random_state=0).fit(_table())


def _stability() -> None:
    from ..stability import assess_stability

    assess_stability(abs(_table()))


USES: dict[str, Callable[[], None]] = {
    "mixtures": _mixture,
    "estimates": _estimate,
    "credible balls": _ball,
    "certainty": _certainty,
    "mixtures of mixed columns": lambda: _mixture("product", _mixed),
    "mixtures with full covariances": lambda: _mixture("gaussian-full"),
    "mixtures with heavy tails": lambda: _mixture("student"),
    "mixtures of counts": lambda: _mixture("poisson", _counts),
    "generalized Bayes": _generalized_bayes,
    "Bayes clusterers": _bayes_clusterer,
    "stability": _stability,
}
USUAL = tuple(USES)[:4]
