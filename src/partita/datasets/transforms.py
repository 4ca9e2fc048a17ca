"""Invertible maps that bend a normal cloud into other shapes with one mode (Koepke 2008, section 4.4).

A transform maps data to the base distribution (``forward``); sampling goes back (``inverse``). Each has a constant
Jacobian and keeps the origin, so that a shaped component has one mode, at its center.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._typing import FloatArray

FAR = 1e90  # beyond this the density is zero, and its cube still a number
N_TRIES = 200


class Transform(Protocol):
    """The interface of a transform; points, one per row, are moved in place."""

    def forward(self, y: FloatArray) -> None:
        """Move toward the base distribution."""
        ...

    def inverse(self, y: FloatArray) -> None:
        """Move back."""
        ...

    @property
    def log_jacobian(self) -> float:
        """Logarithm of the determinant of ``forward``."""
        ...


@dataclass(frozen=True)
class Rotation:
    """Turn two coordinates by an angle."""

    first: int
    second: int
    angle: float
    log_jacobian: float = 0.0

    def forward(self, y: FloatArray) -> None:
        """Turn."""
        self._turn(y, self.angle)

    def inverse(self, y: FloatArray) -> None:
        """Turn back."""
        self._turn(y, -self.angle)

    def _turn(self, y: FloatArray, angle: float) -> None:
        a, b = y[:, self.first].copy(), y[:, self.second]
        y[:, self.first] = np.cos(angle) * a + np.sin(angle) * b
        y[:, self.second] = np.cos(angle) * b - np.sin(angle) * a


@dataclass(frozen=True)
class Scaling:
    """Multiply one coordinate."""

    axis: int
    factor: float

    @property
    def log_jacobian(self) -> float:
        """Logarithm of the factor."""
        return float(np.log(self.factor))

    def forward(self, y: FloatArray) -> None:
        """Multiply."""
        y[:, self.axis] *= self.factor

    def inverse(self, y: FloatArray) -> None:
        """Divide."""
        y[:, self.axis] /= self.factor


@dataclass(frozen=True)
class Translation:
    """Move one coordinate by a function of another: amount times its first, second or third power, or exponential."""

    base: int
    target: int
    power: int
    amount: float
    log_jacobian: float = 0.0

    def forward(self, y: FloatArray) -> None:
        """Move."""
        self._move(y, 1.0)

    def inverse(self, y: FloatArray) -> None:
        """Move back."""
        self._move(y, -1.0)

    def _move(self, y: FloatArray, sign: float) -> None:
        z = y[:, self.base]
        shift = self.amount * z**self.power if self.power else np.expm1(np.minimum(self.amount * z, 200.0))
        y[:, self.target] = np.clip(y[:, self.target] + sign * shift, -FAR, FAR)


def apply_forward(transforms: Sequence[Transform], points: FloatArray) -> FloatArray:
    """All transforms, first to last."""
    y = np.array(points, order="F")
    for transform in transforms:
        transform.forward(y)
    return y


def apply_inverse(transforms: Sequence[Transform], points: FloatArray) -> FloatArray:
    """Back through all transforms, last to first."""
    y = np.array(points, order="F")
    for transform in reversed(transforms):
        transform.inverse(y)
    return y


def draw_transforms(
    kinds: Sequence[str], n_features: int, severity: float, max_radius: float | None, rng: np.random.Generator
) -> tuple[Transform, ...]:
    """One transform of each kind in random order, each redrawn until it spreads the component no further than allowed.

    The unit points on the axes must stay within ``max_radius`` of the origin, and those at two units within twice that,
    under the transform and under all so far, in both directions: what is tested on the way to the base distribution
    alone would let through what stretches the samples. A transform that never passes is left out.
    """
    axes = np.concatenate([np.eye(n_features), -np.eye(n_features)])
    points = np.concatenate([axes, 2 * axes])
    limits = (1.0 if max_radius is None else max_radius) * np.linalg.norm(points, axis=1)
    drawn: list[Transform] = []
    image = points  # of the points under all transforms so far
    for kind in rng.permutation(np.array(kinds, dtype=object)):
        for _ in range(N_TRIES):
            proposal = _draw(kind, n_features, severity, rng)
            moved = apply_forward([proposal], image)
            if max_radius is None or (
                _within(apply_forward([proposal], points), limits)
                and _within(moved, limits)
                and _within(back := apply_inverse([proposal], points), limits)
                and _unmoved_or_within(drawn, points, back, limits)
            ):
                drawn.append(proposal)
                image = moved
                break
    return tuple(drawn)


def _within(points: FloatArray, limits: FloatArray) -> bool:
    return bool((np.linalg.norm(points, axis=1) <= limits * (1 + 1e-12)).all())


def _unmoved_or_within(drawn: list[Transform], points: FloatArray, back: FloatArray, limits: FloatArray) -> bool:
    """Whether the points stay within the limits on the way back through all; those that did not move passed before."""
    moved = (back != points).any(axis=1)
    return _within(apply_inverse(drawn, back[moved]), limits[moved])


def _draw(kind: str, n_features: int, severity: float, rng: np.random.Generator) -> Transform:
    if kind == "scaling":
        factor = rng.gamma(1 / severity, severity) if severity > 0 else 1.0
        return Scaling(int(rng.integers(n_features)), max(factor, 1e-6))
    first, second = map(int, rng.choice(n_features, size=2, replace=False))
    if kind == "rotation":
        return Rotation(first, second, rng.uniform(0, 2 * np.pi))
    return Translation(first, second, int(rng.integers(4)), rng.gamma(severity) if severity > 0 else 0.0)
