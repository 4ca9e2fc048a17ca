"""Data to learn and to test with: generators, and small real data."""

from .draws import make_noisy_draws
from .galaxies import load_galaxies
from .quadrants import make_quadrants

__all__ = ["load_galaxies", "make_noisy_draws", "make_quadrants"]
