"""Data to learn and to test with: generators, and small real data."""

from .draws import make_noisy_draws
from .mixtures import MixtureData, ShapedMixture, make_anova_mixture, make_shaped_mixture

__all__ = ["MixtureData", "ShapedMixture", "make_anova_mixture", "make_noisy_draws", "make_shaped_mixture"]
