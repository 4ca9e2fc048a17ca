"""Several partitions for a posterior with several modes: the weighted set nearest to it in Wasserstein distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._parallel import Budget
from .._typing import BoolArray, FloatArray, IntArray, RandomState
from .._validation import check_count, check_jobs, check_level, check_rng
from ..losses import Loss, VariationOfInformation, check_loss
from ..partitions.matching import number_like
from ..posterior import PartitionPosterior, as_posterior, check_complete
from .credible_ball import CredibleBall, credible_ball
from .estimate import check_time_limit, find_estimate
from .mode_search import Plan, assign, count_modes, find_modes
from .result import PartitionEstimate, evaluate_labels, sort_by_size
from .words import loss_name, partition_in_words, percentages, plural

if TYPE_CHECKING:
    import pandas as pd

GLANCE_CLUSTERS = 60  # in a draw
MOST_DRAWS = 400  # that a start sees
GLANCE_DRAWS, GLANCE_ITEMS, GLANCE_STARTS = 120, 200, 2  # of a glance, before a whole search
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, eq=False)
class PartitionMode:
    """One reading of a posterior: a partition, and the draws that are nearer to it than to the others.

    Attributes
    ----------
    weight : float
        Posterior probability of those draws.
    estimate : PartitionEstimate
        The partition with least expected loss over them; its expected loss and error are over them too.
    ball : CredibleBall
        The credible ball around it, given this reading.
    draws : ndarray of int64
        Numbers of the draws.

    See Also
    --------
    summarize_modes : finds them.
    PartitionModes : all of them.

    Examples
    --------
    >>> import partita as pt
    >>> draws = [[0, 0, 0, 1, 1, 1]] * 96 + [[0, 0, 1, 1, 2, 2]] * 32
    >>> pt.summarize_modes(draws).modes[1].weight
    0.25
    """

    weight: float
    estimate: PartitionEstimate
    ball: CredibleBall
    draws: IntArray

    @property
    def words(self) -> str:
        """The reading in one sentence."""
        return f"With probability {self.weight:.2f}, {partition_in_words(self.estimate.labels)}"


@dataclass(frozen=True, eq=False, repr=False)
class PartitionModes:
    """The readings of a posterior, the most probable first.

    Attributes
    ----------
    modes : tuple of PartitionMode
        Each with its weight, estimate, credible ball and draws.
    labels : ndarray of int64, shape (n_modes, n_items)
        The estimates, clusters numbered like those of the first that they share most items with.
    differs : ndarray of bool, shape (n_items,)
        Items that change their cluster between readings, under that numbering.
    assignment : ndarray of int64, shape (n_draws,)
        Reading that each draw belongs to.
    expected_loss : float
        Expected loss of the nearest reading: the Wasserstein distance between the posterior and the readings.
    single_loss : float
        Expected loss of the best partition alone.
    loss : Loss
        The criterion.
    search : str
        What was searched, in words.
    items : tuple of str or None
        Name of each item.

    See Also
    --------
    summarize_modes : makes one.
    partita.plot.plot_modes : shows one.

    Examples
    --------
    >>> import partita as pt
    >>> draws = [[0, 0, 0, 1, 1, 1]] * 96 + [[0, 0, 1, 1, 2, 2]] * 32
    >>> modes = pt.summarize_modes(draws)
    >>> modes.weights
    array([0.75, 0.25])
    >>> modes.differs.sum()
    np.int64(2)
    """

    modes: tuple[PartitionMode, ...]
    labels: IntArray
    differs: BoolArray
    assignment: IntArray
    expected_loss: float
    single_loss: float
    loss: Loss
    search: str
    items: tuple[str, ...] | None = None

    @property
    def n_modes(self) -> int:
        """Number of readings."""
        return len(self.modes)

    @property
    def weights(self) -> FloatArray:
        """Posterior probability of each reading."""
        return np.array([mode.weight for mode in self.modes])

    @property
    def title(self) -> str:
        """How many readings, and how probable: ``Two readings, 67 % and 33 %``."""
        if self.n_modes == 1:
            return "One reading"
        count = NUMBERS[self.n_modes] if self.n_modes < len(NUMBERS) else str(self.n_modes)
        *first, last = (f"{percent} %" for percent in percentages(self.weights))
        return f"{count.capitalize()} readings, {', '.join(first)} and {last}"

    @property
    def words(self) -> str:
        """The readings, a sentence each, and on how many items they differ."""
        if self.n_modes == 1:
            return f"One reading: {partition_in_words(self.labels[0])}"
        items = f"{int(self.differs.sum())} of {plural(self.differs.size, 'item')}"
        return "\n".join([f"{self.title}; they differ on {items}.", *(mode.words for mode in self.modes)])

    def to_pandas(self) -> pd.DataFrame:
        """One row per item: its cluster in each reading, and whether readings differ on it."""
        import pandas as pd

        columns = {f"reading{number}": row for number, row in enumerate(self.labels)}
        return pd.DataFrame({**columns, "differs": self.differs}, index=self.items)

    def to_dict(self) -> dict[str, Any]:
        """The readings in names and numbers that JSON can hold; what there is for each item is in ``to_pandas()``.

        Examples
        --------
        >>> import partita as pt
        >>> facts = pt.summarize_modes([[0, 0, 0, 1, 1, 1]] * 96 + [[0, 0, 1, 1, 2, 2]] * 32).to_dict()
        >>> facts["modes"][1]
        {'weight': 0.25, 'n_clusters': 3, 'sizes': [2, 2, 2], 'expected_loss': 0.0, 'radius': 0.0}
        """
        return {
            "n_modes": self.n_modes,
            "modes": [
                {
                    "weight": mode.weight,
                    "n_clusters": mode.estimate.n_clusters,
                    "sizes": mode.estimate.sizes.tolist(),
                    "expected_loss": mode.estimate.expected_loss,
                    "radius": mode.ball.radius,
                }
                for mode in self.modes
            ],
            "n_differing": int(self.differs.sum()),
            "loss": loss_name(self.loss),
            "expected_loss": self.expected_loss,
            "single_loss": self.single_loss,
            "search": self.search,
            "words": self.words,
        }

    def __repr__(self) -> str:
        return self.words


def summarize_modes(
    posterior: PartitionPosterior | Any,
    n_modes: int | str = "auto",
    loss: str | Loss = "vi",
    level: float = 0.95,
    *,
    metric: str | Loss = "vi",
    max_modes: int = 6,
    n_starts: int = 8,
    time_limit: float | None = None,
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> PartitionModes:
    """The few partitions, with weights, that are nearest to the posterior: its modes, or readings.

    One partition may lie between two that the posterior holds for true, each with a probability of its own. This finds
    both, says how probable each is, and on which items they differ.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, weighted or not, or a model with ``posterior_``. Every draw must hold every item.
    n_modes : int or "auto"
        How many. ``"auto"`` finds out, and is careful: see Notes. Fewer come back where fewer draws are distinct.
    loss : str or Loss
        The criterion between a draw and the reading nearest to it, as in :func:`estimate_partition`.
    level : float
        Probability of the credible ball of each reading, given the reading.
    metric : str or Loss
        Distance of the balls.
    max_modes : int
        Most that ``"auto"`` tries.
    n_starts : int
        Sets of draws to start from.
    time_limit : float, optional
        Seconds after which the best so far is returned. The one option that makes the answer depend on the machine.
    n_jobs : int
        Threads. The answer does not depend on it.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    modes : PartitionModes
        ``.modes``, the most probable first, ``.differs``, ``.assignment``, ``.words`` and ``.to_dict()``. Ctrl-C
        returns the best so far.

    See Also
    --------
    estimate_partition : one partition.
    summarize : says where one partition hides several readings.
    partita.plot.plot_modes : shows them.

    Notes
    -----
    A set of partitions is as far from the posterior, in Wasserstein distance, as a draw is from the nearest of them on
    average. Draws are assigned to the nearest partition and each partition is estimated from its draws, in turn, from
    several sets of draws picked as k-means++ does [1]_. A partition with no draws begins anew at the draw that is
    furthest from all.

    Any posterior is nearer to two partitions than to one, so ``"auto"`` asks more: readings found in every other draw
    must divide the draws between them, which had no say in them. For each two readings, each of these draws has a
    place on the way from one to the other, its loss to one minus its loss to the other; their distance must be more
    than 4 in units of the spread of each (Ashman's D [2]_). Halves of one mode never are: a uniform distribution cut
    in two has 3.46, a normal one 2.65. A reading must hold 5 % of the posterior and at least 8 of these draws, and
    differ on 5 % of the items and at least 2 of them: doubt about single items is no other reading, and is shown by
    :func:`assess_certainty`. The largest number of which this holds is taken.

    Chains that each stay in a mode of their own make their readings as probable as chains are many, which says nothing
    of the posterior: look at :func:`diagnose` first.

    References
    ----------
    .. [1] Balocchi and Wade (2025). Understanding uncertainty in Bayesian cluster analysis. arXiv:2506.16295.
    .. [2] Ashman, Bird and Zepf (1994). Detecting bimodality in astronomical datasets. Astronomical Journal 108,
       2348-2361.

    Examples
    --------
    >>> import partita as pt
    >>> draws = [[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20
    >>> pt.summarize_modes(draws)
    Two readings, 67 % and 33 %; they differ on 2 of 6 items.
    With probability 0.67, 6 items form 2 clusters of 3 and 3 items.
    With probability 0.33, 6 items form 3 clusters of 2, 2 and 2 items.
    """
    draws = check_complete(as_posterior(posterior), "modes")
    loss, metric, level = check_loss(loss), check_loss(metric, "metric"), check_level(level)
    max_modes, n_starts = check_count("max_modes", max_modes), check_count("n_starts", n_starts)
    wanted = None if isinstance(n_modes, str) and n_modes == "auto" else check_count("n_modes", n_modes)
    budget = Budget(check_time_limit(time_limit), stoppable=True)
    plan, rng = Plan(loss, n_starts, MOST_DRAWS, budget, check_jobs(n_jobs)), check_rng(random_state)
    held = draws.take(draws.probabilities() > 0)
    with budget.catching_interrupts():
        found = find_modes(held, wanted or count_modes(held, max_modes, plan, rng), plan, rng)
    stopped = ", stopped early" if budget.exhausted else ""
    how = f"draws assigned and partitions estimated in turn from {plural(n_starts, 'set')} of draws{stopped}"
    modes, assignment = _sorted_modes(draws, loss, found.centers, how, (level, metric))
    first = modes[0].estimate.labels
    labels = np.array([first, *(number_like(mode.estimate.labels, first) for mode in modes[1:])])
    expected = float(sum(mode.weight * mode.estimate.expected_loss for mode in modes))
    return PartitionModes(
        modes=modes,
        labels=labels,
        differs=(labels != first).any(axis=0),
        assignment=assignment,
        expected_loss=expected,
        single_loss=expected if len(modes) == 1 else find_estimate(draws, loss).expected_loss,
        loss=loss,
        search=how,
        items=draws.items,
    )


def hidden_modes(posterior: PartitionPosterior, level: float, metric: Loss) -> PartitionModes | None:
    """The readings that one partition hides, None where there is one: a glance at some draws before a whole search.

    Draws with very many clusters, whose search takes long, are not glanced at.
    """
    if posterior.partial or posterior.n_clusters().max() > GLANCE_CLUSTERS:
        return None
    rng = np.random.default_rng(0)
    seen = posterior.take(posterior.probabilities() > 0)
    if posterior.weights is None:
        seen = seen.take(np.linspace(0, seen.n_draws - 1, min(GLANCE_DRAWS, seen.n_draws)).astype(int))
    if seen.n_items > GLANCE_ITEMS:
        seen = seen.subset(np.sort(rng.choice(seen.n_items, GLANCE_ITEMS, replace=False)))
    plan = Plan(VariationOfInformation(), GLANCE_STARTS, GLANCE_DRAWS // 2, Budget())
    if count_modes(seen, 3, plan, rng) == 1:
        return None
    modes = summarize_modes(posterior, level=level, metric=metric)
    return modes if modes.n_modes > 1 else None


def _sorted_modes(
    draws: PartitionPosterior, loss: Loss, centers: list[IntArray], how: str, ball: tuple[float, Loss]
) -> tuple[tuple[PartitionMode, ...], IntArray]:
    """Readings, the most probable first, and which of them each draw belongs to; balls of this level and metric."""
    nearest = assign(draws, loss, centers)[0].nearest
    weights = np.bincount(nearest, draws.probabilities(), minlength=len(centers))
    order = np.argsort(-weights, kind="stable")
    assignment = np.argsort(order)[nearest]
    modes = []
    for number, center in enumerate(order):
        mine = np.flatnonzero(assignment == number)
        part = draws.take(mine)
        estimate = evaluate_labels(sort_by_size(centers[center]), part, loss, how)
        modes.append(PartitionMode(float(weights[center]), estimate, credible_ball(part, estimate, *ball), mine))
    return tuple(modes), assignment
