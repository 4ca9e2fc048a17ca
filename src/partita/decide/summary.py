"""Everything there is to report of a posterior over partitions, computed once: in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from .._validation import check_level
from ..constraints import Constraints
from ..losses import Loss, check_loss
from ..posterior import PartitionPosterior, as_posterior, final_model
from ..priors import PartitionPrior
from .certainty import Certainty, JointCore, assess_certainty
from .credible_ball import CredibleBall, credible_ball
from .diagnostics import Diagnostics, diagnose
from .estimate import find_estimate, own_estimate
from .modes import PartitionModes, hidden_modes
from .result import PartitionEstimate, evaluate_labels, read_labels
from .words import distance, loss_in_words, loss_name, partition_in_words, plural

NO_MATTER = ("n_jobs", "checkpoint", "resume")  # settings that change no answer
MOST_NAMED = 3  # doubtful items that are named


@dataclass(frozen=True, eq=False, repr=False)
class PosteriorSummary:
    """A point estimate of the partition, its credible ball, certainty and diagnostics.

    Attributes
    ----------
    posterior : PartitionPosterior
        The draws.
    estimate : PartitionEstimate
        The partition to report.
    ball : CredibleBall
        The credible ball around it.
    certainty : Certainty
        Certainty of each item and each cluster.
    diagnostics : Diagnostics or None
        Whether the chains agree and have mixed; None for weighted draws and for draws that leave items out, which
        are no chains.
    settings : dict
        Name and arguments of the fitted model; empty where there was none.
    n_empty_rows : int
        Rows of the table that hold nothing, which were not counted.
    modes : PartitionModes or None
        The readings that the one partition hides; None where a glance at some draws finds no second one.
    prior : PartitionPrior or None
        The prior on partitions, where the model has one.
    constraints : Constraints or None
        Pairs of items that the model was told about.

    See Also
    --------
    summarize : makes one.
    write_report : shows one.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3, random_state=2)
    >>> summary = pt.summarize(posterior)
    >>> summary.answer
    '30 items form 3 clusters of 12, 10 and 8 items.'
    >>> summary.to_dict()["sizes"]
    [12, 10, 8]
    """

    posterior: PartitionPosterior
    estimate: PartitionEstimate
    ball: CredibleBall
    certainty: Certainty
    diagnostics: Diagnostics | None
    settings: dict[str, Any] = field(default_factory=dict)
    n_empty_rows: int = 0
    modes: PartitionModes | None = None
    prior: PartitionPrior | None = None
    constraints: Constraints | None = None

    @property
    def joint_core(self) -> JointCore:
        """Items whose joint clustering is as in the estimate with at least the probability of the ball."""
        return self.certainty.joint_core

    @property
    def n_clusters_probability(self) -> float:
        """Posterior probability of exactly as many clusters as the estimate has."""
        drawn = self.posterior.n_clusters() == self.estimate.n_clusters
        return float(self.posterior.probabilities()[drawn].sum())

    @property
    def answer(self) -> str:
        """The estimate in one sentence, and a second one for rows that hold nothing."""
        said = partition_in_words(self.estimate.labels)
        if self.n_empty_rows == 0:
            return said
        hold, stand = ("holds", "stands") if self.n_empty_rows == 1 else ("hold", "stand")
        return f"{said} {plural(self.n_empty_rows, 'row')} {hold} nothing and {stand} with the largest."

    @property
    def caveats(self) -> str:
        """The credible ball and the joint core in two sentences."""
        return f"{_ball_in_words(self.ball)} {_core_in_words(self.joint_core)}"

    @property
    def words(self) -> str:
        """The whole answer, one statement a line."""
        estimate, n_doubtful = self.estimate, self.certainty.n_doubtful
        clusters = plural(estimate.n_clusters, "cluster")
        proof = ", proven optimal" if estimate.proven_optimal else ""
        loss = f"{estimate.expected_loss:.4g} ± {estimate.standard_error:.2g}"
        lines = [
            self.answer,
            f"Its expected {loss_in_words(estimate.loss, loss)}: {estimate.search}{proof}.",
            f"The posterior probability of exactly {clusters} is {self.n_clusters_probability:.2f}.",
            _ball_in_words(self.ball),
            _core_in_words(self.joint_core),
        ]
        if n_doubtful:
            named = ", ".join(map(str, self.certainty.items.index[: min(MOST_NAMED, n_doubtful)]))
            lines.append(f"{n_doubtful} of {self.posterior.n_items} items are in doubt; the least certain: {named}.")
        else:
            lines.append("No item is in doubt.")
        if self.modes is not None:
            lines.insert(
                1, f"This one partition hides {self.modes.title[0].lower()}{self.modes.title[1:]}: see .modes."
            )
        if self.diagnostics is not None:  # where chains disagree, nothing matters more
            lines.insert(len(lines) if self.diagnostics.mixed else 0, self.diagnostics.verdict)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The summary in names and numbers that JSON can hold; None where a number is not defined.

        What there is for each item is in ``estimate.to_pandas()`` and ``certainty.items``.

        Examples
        --------
        >>> import partita as pt
        >>> summary = pt.summarize([[0, 0, 1]] * 3 + [[0, 1, 1]], level=0.7)
        >>> summary.to_dict()["ball"]
        {'level': 0.7, 'mass': 0.75, 'radius': 0.0, 'metric': 'vi', 'fewest_clusters': 2, 'most_clusters': 2}
        """
        estimate, ball, core = self.estimate, self.ball, self.joint_core
        fewest, most = _bounds(ball)
        return {
            "n_items": self.posterior.n_items,
            "n_draws": self.posterior.n_draws,
            "n_chains": self.posterior.n_chains,
            "n_clusters": estimate.n_clusters,
            "sizes": estimate.sizes.tolist(),
            "n_clusters_probability": self.n_clusters_probability,
            "loss": loss_name(estimate.loss),
            "expected_loss": _number(estimate.expected_loss),
            "standard_error": _number(estimate.standard_error),
            "search": estimate.search,
            "proven_optimal": estimate.proven_optimal,
            "ball": {
                "level": ball.level,
                "mass": ball.mass,
                "radius": ball.radius,
                "metric": loss_name(ball.metric),
                "fewest_clusters": fewest,
                "most_clusters": most,
            },
            "joint_core": {"n_items": int(core.members.size), "probability": core.probability},
            "n_doubtful": self.certainty.n_doubtful,
            "modes": None if self.modes is None else self.modes.to_dict(),
            "diagnostics": None if self.diagnostics is None else _diagnostics(self.diagnostics),
            "words": self.words,
        }

    def to_anndata(self, adata: Any, key: str = "partita") -> None:
        """Write the answer into an ``AnnData``: columns of ``obs`` named after the key, and ``uns[key]``.

        Parameters
        ----------
        adata : AnnData
            The cells, as many and in the same order as the posterior's items.
        key : str
            Name of the column of clusters, a category; ``key_certainty``, ``key_margin`` and ``key_runner_up`` come
            beside it. ``uns[key]`` holds the ball, the diagnostics and the rest of :meth:`to_dict`.
        """
        import pandas as pd

        names = None if self.posterior.items is None else list(self.posterior.items)
        if len(adata.obs) != self.posterior.n_items or (names is not None and names != adata.obs_names.tolist()):
            got = f"{len(adata.obs)} cells, or others"
            raise ValueError(f"adata must hold the same {self.posterior.n_items} items in the same order: got {got}.")
        adata.obs[key] = pd.Categorical(self.estimate.labels.astype(str))
        adata.obs[f"{key}_certainty"] = self.certainty.by_item("certainty")
        adata.obs[f"{key}_margin"] = self.certainty.by_item("margin")
        adata.obs[f"{key}_runner_up"] = pd.Categorical(self.certainty.by_item("runner_up").astype(str))
        facts = self.to_dict()  # files of cells hold no None and no lists of dicts
        adata.uns[key] = {name: value for name, value in facts.items() if value is not None and name != "modes"}

    def __repr__(self) -> str:
        return f"PosteriorSummary: {self.words}"


def summarize(
    posterior: PartitionPosterior | Any,
    estimate: PartitionEstimate | ArrayLike | None = None,
    loss: str | Loss = "vi",
    level: float = 0.95,
    *,
    metric: str | Loss = "vi",
) -> PosteriorSummary:
    """Point estimate, credible ball, certainty and diagnostics of a posterior over partitions.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, or a model with ``posterior_``.
    estimate : PartitionEstimate or array-like of int, shape (n_items,), optional
        The partition to report. When left out, that of the fitted model if it was chosen by this loss or ``loss`` is
        left at its default; otherwise the partition with least expected loss.
    loss : str or Loss
        The criterion that the estimate minimizes, as in :func:`estimate_partition`.
    level : float
        Probability, strictly between 0 and 1, of the credible ball and of the joint core.
    metric : str or Loss
        Distance of the credible ball.

    Returns
    -------
    summary : PosteriorSummary
        ``.estimate``, ``.ball``, ``.certainty``, ``.joint_core``, ``.diagnostics``, ``.modes``, ``.words`` and
        ``.to_dict()``.

    See Also
    --------
    summarize_modes : the readings of a posterior that one partition does not tell.
    estimate_partition, credible_ball, assess_certainty, diagnose : the parts, one by one.
    write_report : the same as a page.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3, random_state=2)
    >>> print(pt.summarize(posterior).words)
    30 items form 3 clusters of 12, 10 and 8 items.
    Its expected variation of information is 0.5992 ± 0.012 bits: reallocation sweeps from 44 starts.
    The posterior probability of exactly 3 clusters is 1.00.
    With probability 0.95 the partition lies within 1.26 bits of this one; partitions within that distance have 3
    clusters.
    2 of 30 items are clustered exactly like this, all at once, with probability 0.95.
    No item is in doubt.
    One chain: agreement between chains cannot be assessed; run more, from other starts. Here at least 1027 effective
    draws (of the entropy).
    """
    model, draws, level = final_model(posterior), as_posterior(posterior), check_level(level)
    chosen = _choose(model, draws, estimate, loss)
    return PosteriorSummary(
        posterior=draws,
        estimate=chosen,
        ball=credible_ball(draws, chosen, level, metric),
        certainty=assess_certainty(draws, chosen, level),
        diagnostics=_diagnose(model, draws, chosen),
        settings=_settings(model),
        n_empty_rows=getattr(model, "n_empty_rows_", 0),
        modes=hidden_modes(draws, level, check_loss(metric, "metric")),
        prior=getattr(model, "prior_", None),
        constraints=getattr(model, "constraints_", None),
    )


def _choose(
    model: Any, posterior: PartitionPosterior, estimate: PartitionEstimate | ArrayLike | None, loss: str | Loss
) -> PartitionEstimate:
    """The estimate as given, as fitted, or by a search."""
    criterion = check_loss(loss)
    if estimate is None:
        own = own_estimate(model)
        if isinstance(own, PartitionEstimate) and (loss == "vi" or own.loss == criterion):
            return own
        return find_estimate(posterior, criterion)
    labels = read_labels(estimate, posterior.n_items)
    return estimate if isinstance(estimate, PartitionEstimate) else evaluate_labels(labels, posterior, criterion)


def _diagnose(model: Any, posterior: PartitionPosterior, estimate: PartitionEstimate) -> Diagnostics | None:
    """What is known of the chains; weighted draws have none, nor do draws that leave items out."""
    if posterior.weights is not None or posterior.partial:
        return None
    return getattr(model, "diagnostics_", None) or diagnose(posterior, estimate)


def _settings(model: Any) -> dict[str, Any]:
    """Name and arguments of a model, but for those that change no answer."""
    if not hasattr(model, "get_params"):
        return {}
    arguments = {name: value for name, value in model.get_params(deep=False).items() if name not in NO_MATTER}
    return {"estimator": type(model).__name__, **arguments}


def _ball_in_words(ball: CredibleBall) -> str:
    fewest, most = _bounds(ball)
    between = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    reach = f"With probability {ball.mass:.2f} the partition lies within {distance(ball.metric, ball.radius)}"
    return f"{reach} of this one; partitions within that distance have {between} clusters."


def _core_in_words(core: JointCore) -> str:
    items = "All items" if core.members.size == core.n_items else f"{core.members.size} of {core.n_items} items"
    return f"{items} are clustered exactly like this, all at once, with probability {core.probability:.2f}."


def _bounds(ball: CredibleBall) -> tuple[int, int]:
    """Fewest and most clusters of a draw in the ball."""
    return int(ball.upper.max()) + 1, int(ball.lower.max()) + 1


def _diagnostics(found: Diagnostics) -> dict[str, Any]:
    return {
        "mixed": found.mixed,
        "largest_difference": _number(found.largest_difference),
        "verdict": found.verdict,
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
