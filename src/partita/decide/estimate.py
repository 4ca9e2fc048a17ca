"""Point estimation: the partition with least posterior expected loss, by the search that fits the loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._parallel import Budget
from .._typing import IntArray, RandomState
from .._validation import check_choice, check_count, check_jobs, check_labels, check_number, check_rng, shorten
from ..losses import Binder, Loss, check_loss, declared_search
from ..posterior import PartitionPosterior, SimilarityMatrix, as_posterior, as_similarity, final_model
from .result import LossPerDraw, PartitionEstimate, sort_by_size
from .searches import bound, draws, exhaustive, hasse, linkage, matching, sweep
from .searches.multistart import default_starts
from .searches.options import Options
from .searches.reallocation import FORMULAS
from .searches.target import tune_asymmetry
from .similarity_estimate import estimate_from_similarity

Search = Callable[[PartitionPosterior, Loss, Options], tuple[IntArray, str]]

FEW_ITEMS = 8  # 4 140 partitions: quicker to try than to search
SEARCHES: dict[str, Search] = {
    "draws": draws.search,
    "exhaustive": exhaustive.search,
    "hasse": hasse.search,
    "linkage": linkage.search,
}
# The sweeps that fit what a loss declares of itself; of one that declares nothing, only the values are known.
SWEEPS: dict[str, Search] = {
    "matching": matching.search,
    "mode": draws.search,
    "similarity": bound.search,
    **dict.fromkeys((*FORMULAS, "sums", "table"), sweep.search),
}


def estimate_partition(
    posterior: PartitionPosterior | Any,
    loss: str | Loss = "vi",
    search: str = "auto",
    *,
    max_clusters: int | None = None,
    target_clusters: int | None = None,
    n_starts: int | None = None,
    starts: Iterable[ArrayLike] = (),
    n_neighbors: int | None = None,
    time_limit: float | None = None,
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> PartitionEstimate:
    """The partition with least posterior expected loss (the Bayes estimate).

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, weighted or not, or a model with ``posterior_``; for the losses ``"binder"`` and
        ``"vi-bound"`` also a similarity matrix alone.
    loss : str or Loss
        ``"vi"``, ``"binder"``, ``"misclassification"``, ``"adjusted-rand"``, ``"nvi"``, ``"id"``, ``"nid"``,
        ``"vi-bound"``, ``"zero-one"``, a loss with parameters such as ``VariationOfInformation(a=0.7)``, or one of your
        own (see :class:`Loss`), such as a :class:`TableLoss`. Of a fitted :class:`BayesianMixture` also ``"fold"``,
        which fuses components by the overlap of their densities: see Notes.
    search : {"auto", "sweep", "exhaustive", "draws", "linkage", "hasse"}
        ``"auto"`` tries every partition of up to 8 items and sweeps otherwise; ``.search`` of the result says what it
        did. ``"sweep"`` reallocates items from many starts. A loss known by its values alone, with no function of the
        contingency table, cannot be swept: ``"auto"`` then walks the lattice. The other searches are there to compare
        with.
    max_clusters : int, optional
        Most clusters the estimate may have.
    target_clusters : int, optional
        Number of clusters wanted: the asymmetry ``a`` of VI or Binder is tuned until the estimate has this many, or as
        close to it as any ``a`` tried.
    n_starts : int, optional
        Starts of ``"sweep"``: by default 16, up to 64 where items and draws are few, 4 where the loss is not compiled.
    starts : iterable of label vectors
        More partitions to start from.
    n_neighbors : int, optional
        Merges, and splits, that each step of ``"hasse"`` looks at: the closest ones, and of equally close ones a random
        part (``l`` of Wade and Ghahramani). Twice the number of items when left out.
    time_limit : float, optional
        Seconds after which the best so far is returned. The one option that makes the answer depend on the machine.
    n_jobs : int
        Threads. The answer does not depend on it.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    estimate : PartitionEstimate
        Labels (cluster 0 is the largest), expected loss and its standard error, what was searched, and whether the
        labels are proven optimal. Ctrl-C returns the best so far.

    See Also
    --------
    credible_ball : how sure the estimate is.
    PartitionEstimate : what it returns.
    assess_certainty : who is in doubt.
    VariationOfInformation : the default loss.

    Notes
    -----
    The search for VI, Binder and their relatives is by reallocation sweeps in the manner of SALSO (Dahl et al.): items
    are added one by one, swept until none moves, and clusters broken up and rebuilt, from many starts.
    Misclassification alternates between matching clusters and voting. ``"hasse"`` is the greedy search over the
    lattice of partitions (Wade and Ghahramani), ``"linkage"`` cuts trees built on one minus the similarity,
    ``"draws"`` takes the medoid of the draws.

    ``"fold"`` is the loss of Dombowsky and Dunson, between a partition and the densities of the components that the
    items are drawn into: two items together are charged the Hellinger distance of their densities, two apart one minus
    it. Pairs nearer than 0.89, where the valley between equal normal clusters falls to 0.4 of their peaks, attract each
    other, and overlaps count as far as components do not fit their items (:meth:`BayesianMixture.overlap`). It
    differs from the default, for which components are fused within each draw, in that all pairs of a cluster's items
    have a say, not only neighboring components: long chains of components are not followed. Its labels minimize
    Binder's loss on the expected overlaps; their uncertainty is that of the fused draws: ``credible_ball(model,
    estimate)``.

    References
    ----------
    Dahl, Johnson and Müller (2022). Search algorithms and loss functions for Bayesian clustering. Journal of
    Computational and Graphical Statistics 31, 1189-1201.

    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

    Dombowsky and Dunson (2023). Bayesian clustering via fusing of localized densities. arXiv:2304.00074.

    Fritsch and Ickstadt (2009). Improved criteria for clustering based on the posterior similarity matrix. Bayesian
    Analysis 4, 367-391.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, truth = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3, random_state=2)
    >>> estimate = pt.estimate_partition(posterior, loss="binder")
    >>> pt.Misclassification().between(truth, estimate.labels)
    0.0
    >>> pt.estimate_partition([[0, 0, 1], [0, 0, 1], [0, 1, 1]]).labels
    array([0, 0, 1])
    """
    if isinstance(loss, str) and loss.lower() == "fold":
        posterior, loss = _read_overlap(posterior)
    psm = as_similarity(posterior)
    posterior = as_posterior(posterior) if psm is None else psm
    loss = check_loss(loss)
    options = Options(
        max_clusters=posterior.n_items if max_clusters is None else check_count("max_clusters", max_clusters),
        n_starts=_default_starts(posterior, loss) if n_starts is None else check_count("n_starts", n_starts),
        starts=_check_starts(starts, posterior.n_items),
        budget=Budget(check_time_limit(time_limit), stoppable=True),
        n_jobs=check_jobs(n_jobs),
        rng=check_rng(random_state),
        n_neighbors=None if n_neighbors is None else check_count("n_neighbors", n_neighbors),
    )
    if isinstance(posterior, SimilarityMatrix):
        check_choice("search", search, ["auto", "sweep", *SEARCHES])
        with options.budget.catching_interrupts():
            return estimate_from_similarity(posterior, loss, options)
    return _minimize(posterior, loss, search, target_clusters, options)


def find_estimate(
    posterior: PartitionPosterior,
    loss: str | Loss,
    search: str = "auto",
    *,
    max_clusters: int | None = None,
    target_clusters: int | None = None,
    starts: tuple[IntArray, ...] = (),
    budget: Budget | None = None,
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> PartitionEstimate:
    """The same as a step of a larger computation, whose budget it shares, or which an interrupt ends as a whole."""
    loss = check_loss(loss)
    options = Options(
        max_clusters=posterior.n_items if max_clusters is None else check_count("max_clusters", max_clusters),
        n_starts=default_starts(posterior, loss),
        starts=starts,
        budget=Budget() if budget is None else budget,
        n_jobs=check_jobs(n_jobs),
        rng=check_rng(random_state),
    )
    return _minimize(posterior, loss, search, target_clusters, options)


def descend(
    posterior: PartitionPosterior, loss: Loss, start: IntArray, budget: Budget, rng: np.random.Generator
) -> IntArray:
    """The local optimum that a search from one start ends in; of a loss known by its values alone, the best draw."""
    search = "draws" if declared_search(loss) == "values" else "sweep"
    options = Options(posterior.n_items, 0, (start,), budget, 1, rng)
    return _search_for(search, loss, posterior)(posterior, loss, options)[0]


def _minimize(
    posterior: PartitionPosterior, loss: Loss, search: str, target_clusters: int | None, options: Options
) -> PartitionEstimate:
    check_choice("search", search, ["auto", "sweep", *SEARCHES])

    def run(criterion: Loss) -> tuple[IntArray, str]:
        return _search_for(search, criterion, posterior)(posterior, criterion, options)

    with options.budget.catching_interrupts():
        if target_clusters is None:
            labels, how = run(loss)
        else:
            wanted = check_count("target_clusters", target_clusters)
            labels, how, loss = tune_asymmetry(run, loss, wanted, options.budget)
    return _result(posterior, labels, loss, how, options)


def own_estimate(source: Any) -> PartitionEstimate | ArrayLike | None:
    """The estimate that a fitted model, or a pipeline that ends in one, made of its own posterior."""
    return getattr(final_model(source), "estimate_", None)


def choose_estimate(
    source: Any, estimate: PartitionEstimate | ArrayLike | None, loss: str | Loss = "vi"
) -> PartitionEstimate | ArrayLike:
    """The estimate given; without one, the fitted model's own, or the partition with least expected loss."""
    chosen = own_estimate(source) if estimate is None else estimate
    return find_estimate(as_posterior(source), loss) if chosen is None else chosen


def _search_for(search: str, loss: Loss, posterior: PartitionPosterior) -> Search:
    """The function behind a search's name, given what the loss offers."""
    offered = declared_search(loss)
    if search == "auto":
        known = "hasse" if offered == "values" else "sweep"
        search = "exhaustive" if posterior.n_items <= FEW_ITEMS else known
    if search in SEARCHES:
        return SEARCHES[search]
    if offered == "values":
        rule = f"search must be one of {', '.join(SEARCHES)} for a loss known by its values alone"
        raise ValueError(f"{rule}: got {search!r}. One written as a function of the contingency table can be swept.")
    if offered == "similarity" and posterior.partial:  # the bound then needs more than the similarity matrix
        return sweep.search
    if offered not in SWEEPS:
        raise ValueError(f"loss.formula must be one of {', '.join(SWEEPS)}: got {offered!r}.")
    return SWEEPS[offered]


def _read_overlap(model: Any) -> tuple[SimilarityMatrix, Loss]:
    """The overlaps of a fitted mixture, or of a pipeline that ends in one, and the loss that fuses by them."""
    from ..samplers.overlap import FARTHEST  # loads all of what a model needs

    overlap = getattr(final_model(model), "overlap", None)
    if not callable(overlap):
        rule = "posterior must be a fitted BayesianMixture for the loss 'fold', which goes by densities"
        raise TypeError(f"{rule}: got {shorten(model)}.")
    return overlap(), Binder(2 * FARTHEST)


def _result(
    posterior: PartitionPosterior, labels: IntArray, loss: Loss, how: str, options: Options
) -> PartitionEstimate:
    stopped = ", interrupted" if options.budget.interrupted else ", stopped by the time limit"
    exhausted = options.budget.exhausted
    everything = how.startswith("all ") and options.max_clusters >= posterior.n_items
    mode = declared_search(loss) == "mode" and not posterior.partial and options.max_clusters >= posterior.n_labels
    losses = loss.per_draw(labels, posterior)
    is_mean = declared_search(loss) in FORMULAS  # of the losses of single draws; the bound is not
    return PartitionEstimate(
        labels=sort_by_size(labels),
        expected_loss=float(losses @ posterior.probabilities()) if is_mean else loss.expected(labels, posterior),
        loss=loss,
        search=how + (stopped if exhausted else ""),
        proven_optimal=not exhausted and (everything or mode),
        items=posterior.items,
        per_draw=LossPerDraw.of(losses, posterior),
    )


def _default_starts(posterior: PartitionPosterior | SimilarityMatrix, loss: Loss) -> int:
    return 8 if isinstance(posterior, SimilarityMatrix) else default_starts(posterior, loss)


def _check_starts(starts: Iterable[ArrayLike], n_items: int) -> tuple[IntArray, ...]:
    if not np.iterable(starts):
        raise TypeError(f"starts must be partitions to start from: got {shorten(starts)}.")
    return tuple(check_labels(labels, "starts", n_items) for labels in starts)


def check_time_limit(time_limit: float | None) -> float | None:
    """Seconds, or None where there is no limit."""
    if time_limit is None or time_limit == math.inf:
        return None
    return check_number("time_limit", time_limit, "be a positive number of seconds", lambda value: value > 0)
