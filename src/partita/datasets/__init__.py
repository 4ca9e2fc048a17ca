"""Data to learn and to test with: generators, and small real data."""

from ..pointprocess.sampling import sample_point_process
from .draws import make_noisy_draws

__all__ = ["make_noisy_draws", "sample_point_process"]
