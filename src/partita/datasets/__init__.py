"""Data to learn and to test with: generators, and small real data."""

from .draws import make_noisy_draws

__all__ = ["make_noisy_draws"]
