"""Priors on the parameters of priors on partitions: a concentration, a number of components."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

from .._kernels.samplers.concentration import FARTHEST
from .._typing import FloatArray
from .._validation import check_memory, check_number, magnitude

LARGEST = 1e100  # shape or rate of a Gamma

LEAST_NODE = 1e-15  # concentrations below make one cluster of any number of items


@dataclass(frozen=True)
class Gamma:
    """Gamma prior on a positive parameter, with mean ``shape / rate``; zeros make it improper.

    See Also
    --------
    DirichletProcess : takes one for its concentration.
    GeneralizedBayesClustering : takes one for its rate.

    Notes
    -----
    Density proportional to x^(shape - 1) exp(-rate x).

    References
    ----------
    Escobar and West (1995). Bayesian density estimation and inference using mixtures. Journal of the American
    Statistical Association 90, 577-588.

    Examples
    --------
    >>> Gamma(shape=1, rate=1)
    Gamma(shape=1, rate=1)
    """

    shape: float
    rate: float

    def __post_init__(self) -> None:
        for name in ("shape", "rate"):
            rule = f"be a finite number of at least 0, at most {LARGEST:g}"
            check_number(name, getattr(self, name), rule, lambda value: 0 <= value <= LARGEST)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw a value, kept away from the smallest numbers there are."""
        return max(rng.gamma(self.shape, 1 / self.rate), math.exp(-FARTHEST))

    def nodes(self) -> tuple[FloatArray, FloatArray]:
        """Points and weights for means over this prior, by the trapezoid rule on the log scale.

        What lies below the first point counts there; its probability or the point itself is tiny.
        """
        least, most = gammaincinv(self.shape, 1e-16) / self.rate, gammainccinv(self.shape, 1e-16) / self.rate
        low, high = math.log(max(least, LEAST_NODE)), math.log(max(most, 2 * LEAST_NODE))
        step = 0.15 / max(1.0, math.sqrt(self.shape))
        u = np.linspace(low, high, max(3, math.ceil((high - low) / step)))
        log_density = self.shape * (math.log(self.rate) + u) - math.lgamma(self.shape) - self.rate * np.exp(u)
        weights = np.exp(log_density) * (u[1] - u[0])
        weights[[0, -1]] /= 2
        weights[0] += gammainc(self.shape, self.rate * math.exp(u[0]))
        return np.exp(u), weights / weights.sum()

    def log_average(self, log_function: Callable[[float], float]) -> float:
        """Log of the mean of ``exp(log_function(x))`` over this prior of x, integrated on the log scale of x."""
        constant = self.shape * math.log(self.rate) - math.lgamma(self.shape)

        def log_integrand(u: float) -> float:
            return constant + self.shape * u - self.rate * math.exp(u) + log_function(math.exp(u))

        if log_function(self.shape / self.rate) == -math.inf:  # an impossible partition, whatever the concentration
            return -math.inf
        mode = float(minimize_scalar(lambda u: -log_integrand(u), bounds=(-FARTHEST, FARTHEST), method="bounded").x)
        top, least = log_integrand(mode), math.exp(-FARTHEST)
        area = gammainc(self.shape, self.rate * least) * math.exp(
            log_function(least) - top
        )  # what lies below counts there
        for side in (-1, 1):
            reach, farthest = 0.25, FARTHEST - side * mode
            while reach < farthest and log_integrand(mode + side * reach) > top - 60:
                reach *= 2
            area += quad(
                lambda t, s=side: math.exp(log_integrand(mode + s * t) - top),
                0,
                min(reach, farthest),
                epsabs=0,
                epsrel=1e-10,
            )[0]
        return float(top + math.log(area))


@dataclass(frozen=True)
class ShiftedPoisson:
    """Prior on a number of components: one more than a Poisson variable with this mean.

    See Also
    --------
    Geometric : heavier tails.
    MixtureOfFiniteMixtures : uses it.

    Notes
    -----
    p(K) = mean^(K - 1) exp(-mean) / (K - 1)!.

    References
    ----------
    Miller and Harrison (2018). Mixture models with a prior on the number of components. Journal of the American
    Statistical Association 113, 340-356.

    Examples
    --------
    >>> np.exp(ShiftedPoisson(mean=2.0).log_probabilities(1)[:3]).round(4)
    array([0.1353, 0.2707, 0.2707])
    """

    mean: float = 1.0

    def __post_init__(self) -> None:
        check_number("mean", self.mean, "be a positive number", lambda value: value > 0)

    def log_probabilities(self, n_items: int) -> FloatArray:
        """Log probability of 1, 2, ... components, as many as matter to partitions into up to so many clusters."""
        size = n_items + math.ceil(self.mean + 20 * math.sqrt(self.mean) + 60)
        check_memory(24 * size, f"The prior on up to {size} components", "Take a smaller mean.")
        beyond = np.arange(float(size))
        return beyond * math.log(self.mean) - self.mean - gammaln(beyond + 1)


@dataclass(frozen=True)
class Geometric:
    """Prior on a number of components: trials up to the first success, which has this ``probability``.

    See Also
    --------
    ShiftedPoisson : lighter tails.
    MixtureOfFiniteMixtures : uses it.

    Notes
    -----
    p(K) = probability (1 - probability)^(K - 1).

    References
    ----------
    Miller and Harrison (2018). Mixture models with a prior on the number of components. Journal of the American
    Statistical Association 113, 340-356.

    Examples
    --------
    >>> np.exp(Geometric(probability=0.5).log_probabilities(1)[:3])
    array([0.5  , 0.25 , 0.125])
    """

    probability: float

    def __post_init__(self) -> None:
        check_number("probability", self.probability, "lie strictly between 0 and 1", lambda value: 0 < value < 1)

    def log_probabilities(self, n_items: int) -> FloatArray:
        """Log probability of 1, 2, ... components, as many as matter to partitions into up to so many clusters."""
        # With as many clusters as items, components beyond them weigh at most like failures before n + 2 successes.
        size = (n_items + 2 + 12 * math.sqrt(n_items + 2) + 60) / self.probability
        what = f"The prior on up to {magnitude(int(min(size, 1e300)))} components"
        check_memory(int(8 * min(size, 1e300)), what, "Take a larger probability.")
        return math.log(self.probability) + math.log1p(-self.probability) * np.arange(float(math.ceil(size)))


def check_concentration(value: Any) -> None:
    """Refuse all but a positive number and a proper prior on one."""
    rule = "be a positive number or a Gamma with positive shape and rate"
    if not isinstance(value, Gamma):
        check_number("concentration", value, rule, lambda number: number > 0)
    elif value.shape == 0 or value.rate == 0:
        raise ValueError(f"concentration must {rule}: got {value!r}.")


def check_components(prior: Any) -> ShiftedPoisson | Geometric | tuple[float, ...]:
    """A prior on the number of components; probabilities of 1, 2, ... of them become a tuple."""
    if isinstance(prior, (ShiftedPoisson, Geometric)):
        return prior
    try:
        probabilities = tuple(float(value) for value in prior)
    except (TypeError, ValueError):
        probabilities = ()
    if all(0 <= p <= 1 for p in probabilities) and abs(math.fsum(probabilities) - 1) < 1e-9:
        return probabilities
    rule = "be a ShiftedPoisson, a Geometric, or probabilities of 1, 2, ... components that sum to 1"
    raise ValueError(f"n_components must {rule}: got {prior!r}.")
