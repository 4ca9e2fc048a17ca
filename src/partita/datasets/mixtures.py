"""Mixtures with a known number of modes, from round to oddly shaped (Koepke 2008, chapter 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import logsumexp

from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_between, check_count, check_number, check_rng
from .separation import Lines, normal_scale, shrink_until_apart, spread_centers
from .transforms import Transform, apply_forward, apply_inverse, draw_transforms


@dataclass(frozen=True, eq=False, repr=False)
class ShapedMixture:
    """A mixture of components each of which has one mode, at its center.

    Parameters
    ----------
    centers : ndarray of float, shape (n_clusters, n_features)
        Modes of the components.
    scales, weights : ndarray of float, shape (n_clusters,)
        Size and share of each component.
    transforms : tuple of tuple of Transform
        What shapes each component, in units of its scale around its center; nothing for round ones.

    See Also
    --------
    make_shaped_mixture : makes one, and data from it.

    Examples
    --------
    >>> mixture = make_shaped_mixture(n_clusters=3).mixture
    >>> mixture
    ShapedMixture: 3 components in 2 dimensions, proximity at most 0.43
    >>> X, labels = mixture.sample(50, random_state=1)
    >>> mixture.density(X).shape
    (50,)
    """

    centers: FloatArray
    scales: FloatArray
    weights: FloatArray
    transforms: tuple[tuple[Transform, ...], ...]

    def log_components(self, X: ArrayLike) -> FloatArray:
        """Log-density of each component at each row of ``X``, shape (n_items, n_clusters)."""
        points = np.asarray(X, dtype=float)
        logs = [self._log_component(j, points, self.scales[j]) for j in range(len(self.scales))]
        return np.column_stack(logs)

    def density(self, X: ArrayLike) -> FloatArray:
        """Density of the mixture at each row of ``X``, shape (n_items,)."""
        return np.exp(logsumexp(self.log_components(X), axis=1, b=self.weights))

    def proximities(self) -> FloatArray:
        """How close each pair of components is, from 0 (infinitely far) to 1 (one mode)."""
        return Lines(self.centers, self.scales, self.weights, self._log_component).proximities()

    def sample(self, n_items: int, min_size: int = 1, random_state: RandomState = 0) -> tuple[FloatArray, IntArray]:
        """Items and the components they came from, at least ``min_size`` from each."""
        rng = check_rng(random_state)
        sizes = sample_sizes(check_count("n_items", n_items), self.weights, min_size, rng)
        labels = np.repeat(np.arange(sizes.size), sizes)
        X = np.concatenate([self._sample_component(j, m, rng) for j, m in enumerate(sizes)])
        order = rng.permutation(n_items)
        return X[order], labels[order]

    def modes(self, n_starts: int = 50, random_state: RandomState = 0) -> FloatArray:
        """The modes that hill climbing reaches from every center and from random items, shape (n_modes, n_features)."""
        starts = np.concatenate([self.centers, self.sample(max(n_starts, len(self.scales)), 1, random_state)[0]])
        found: list[FloatArray] = []
        for start in starts:
            top: FloatArray = minimize(self._minus_log_density, start, method="BFGS", tol=1e-7).x
            if all(np.linalg.norm(top - mode) > 0.05 * self.scales.min() for mode in found):
                found.append(top)
        return np.array(found)

    def __repr__(self) -> str:
        k, p = self.centers.shape
        return f"ShapedMixture: {k} components in {p} dimensions, proximity at most {self.proximities().max():.2g}"

    def _minus_log_density(self, x: FloatArray) -> float:
        return -float(logsumexp(self.log_components(x[None])[0], b=self.weights))

    def _log_component(self, j: int, points: FloatArray, scale: float) -> FloatArray:
        base = apply_forward(self.transforms[j], (points - self.centers[j]) / scale)
        stretch = sum(t.log_jacobian for t in self.transforms[j]) - points.shape[1] * np.log(scale * np.sqrt(2 * np.pi))
        return stretch - 0.5 * (base**2).sum(axis=1)

    def _sample_component(self, j: int, n_items: int, rng: np.random.Generator) -> FloatArray:
        normal = rng.normal(size=(n_items, self.centers.shape[1]))
        return self.centers[j] + self.scales[j] * apply_inverse(self.transforms[j], normal)


class MixtureData(NamedTuple):
    """Data, the component of each item, and the mixture they were sampled from.

    See Also
    --------
    make_shaped_mixture, make_anova_mixture : make one.

    Examples
    --------
    >>> data = make_anova_mixture(n_items=40, n_clusters=2)
    >>> data.X.shape, data.labels.shape
    ((40, 2), (40,))
    """

    X: FloatArray
    labels: IntArray
    mixture: ShapedMixture


def make_shaped_mixture(
    n_items: int = 750,
    n_features: int = 2,
    n_clusters: int = 5,
    *,
    separation: float = 0.6,
    weight_spread: float = 0.3,
    scale_spread: float = 0.3,
    n_rotations: float = 1.0,
    n_scalings: float = 0.5,
    n_translations: float = 0.5,
    severity: float = 0.5,
    max_radius: float | None = 2.0,
    min_size: int = 5,
    random_state: RandomState = 0,
) -> MixtureData:
    """Data from a mixture of oddly shaped clusters with as many modes as clusters.

    Parameters
    ----------
    n_items, n_features, n_clusters : int
        Size of the data, and number of components.
    separation : float
        Greatest proximity allowed between two components, strictly between 0 (infinitely far) and 1 (one mode).
    weight_spread, scale_spread : float
        Standard deviation of the weights and of the scales of components, relative to their mean, before normalizing
        and shrinking. 0 makes them equal.
    n_rotations, n_scalings, n_translations : float
        Transforms per feature (half as many rotations, each turning two), in random order.
    severity : float
        How strong scalings and translations are, from 0 (not at all) to 1.
    max_radius : float or None
        How far transforms may take a point at distance one from a component's center; None for any distance.
    min_size : int
        Fewest items of a component.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    data : MixtureData
        ``X``, ``labels`` and ``mixture``, which has a density and can be sampled again.

    See Also
    --------
    make_anova_mixture : round clusters of one size.
    ShapedMixture : what the data come from.

    Notes
    -----
    Normal components are deformed by random rotations, scalings and translations, and shrunk until every two are
    separated along the line between them (chapter 4 of the thesis).

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> X, labels, mixture = make_shaped_mixture(n_items=200, n_features=3, n_clusters=4)
    >>> X.shape, np.bincount(labels).min() >= 5, len(mixture.modes(n_starts=4))
    ((200, 3), np.True_, 4)
    """
    k, p = check_count("n_clusters", n_clusters), check_count("n_features", n_features)
    check_sizes(n_items, k, min_size)
    check_number("separation", separation, "lie strictly between 0 and 1", lambda value: 0 < value < 1)
    check_between("severity", severity, 0, 1)
    spreads = {"weight_spread": weight_spread, "scale_spread": scale_spread}
    numbers = {"n_rotations": n_rotations, "n_scalings": n_scalings, "n_translations": n_translations}
    for name, value in {**spreads, **numbers}.items():
        check_between(name, value, 0, 1000)
    if max_radius is not None:
        check_number("max_radius", max_radius, "be a positive number", lambda value: value > 0)
    counts = {"rotation": n_rotations / 2, "scaling": n_scalings, "translation": n_translations}
    rng = check_rng(random_state)
    centers = spread_centers(k, p, rng)
    scales = normal_scale(centers, separation) * _gamma(scale_spread, k, rng)
    weights = _gamma(weight_spread, k, rng)
    kinds = [kind for kind, count in counts.items() if p > 1 or kind == "scaling" for _ in range(round(count * p))]
    shapes = tuple(draw_transforms(kinds, p, severity, max_radius, rng) for _ in range(k))
    mixture = ShapedMixture(centers, scales, weights / weights.sum(), shapes)
    lines = Lines(centers, scales, mixture.weights, mixture._log_component)
    mixture = ShapedMixture(centers, shrink_until_apart(lines, separation), mixture.weights, shapes)
    return MixtureData(*mixture.sample(n_items, min_size, rng), mixture)


def make_anova_mixture(
    n_items: int = 750,
    n_features: int = 2,
    n_clusters: int = 5,
    *,
    separation: float = 0.6,
    min_size: int = 5,
    random_state: RandomState = 0,
) -> MixtureData:
    """Data from equally likely round normal clusters of one size: the setting of the analysis of variance.

    Parameters
    ----------
    n_items, n_features, n_clusters, separation, min_size, random_state
        As for :func:`make_shaped_mixture`.

    Returns
    -------
    data : MixtureData
        ``X``, ``labels`` and ``mixture``.

    See Also
    --------
    make_shaped_mixture : clusters of odd shapes.

    Notes
    -----
    The unshaped case of the generator in chapter 4 of the thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> X, labels, mixture = make_anova_mixture(n_items=100, n_clusters=3)
    >>> bool(np.ptp(mixture.scales) == 0), mixture.transforms
    (True, ((), (), ()))
    """
    return make_shaped_mixture(
        n_items, n_features, n_clusters, separation=separation, weight_spread=0, scale_spread=0, n_rotations=0,
        n_scalings=0, n_translations=0, min_size=min_size, random_state=random_state,
    )  # fmt: skip


def check_sizes(n_items: int, n_clusters: int, min_size: int) -> None:
    """Refuse a smallest cluster size that the items cannot fill."""
    if check_count("min_size", min_size, 0) * n_clusters > check_count("n_items", n_items):
        raise ValueError(f"min_size must leave room for {n_clusters} clusters in {n_items} items: got {min_size}.")


def sample_sizes(n_items: int, weights: FloatArray, min_size: int, rng: np.random.Generator) -> IntArray:
    """Multinomial cluster sizes, none below ``min_size``: what is added to some is taken from others at random."""
    check_sizes(n_items, weights.size, min_size)
    sizes = rng.multinomial(n_items, weights)
    raised = np.maximum(sizes, min_size)
    return raised - rng.multivariate_hypergeometric(raised - min_size, int(raised.sum() - n_items))


def _gamma(spread: float, size: int, rng: np.random.Generator) -> FloatArray:
    """Gamma variables of mean one and standard deviation ``spread``; ones where rounding would leave no other."""
    return rng.gamma(spread**-2, spread**2, size=size) if spread > 1e-15 else np.ones(size)
