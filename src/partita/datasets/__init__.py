"""Data sets for learning and testing: generators, and small real data.

Modules import only from layers with a smaller number:

    0  draws, galaxies, penguins, quadrants, separation, transforms
    1  mixtures
"""

from ..pointprocess.sampling import sample_point_process
from .draws import make_noisy_draws
from .galaxies import load_galaxies
from .mixtures import MixtureData, ShapedMixture, make_anova_mixture, make_shaped_mixture
from .penguins import load_penguins
from .quadrants import make_quadrants

__all__ = [
    "MixtureData",
    "ShapedMixture",
    "load_galaxies",
    "load_penguins",
    "make_anova_mixture",
    "make_noisy_draws",
    "make_quadrants",
    "make_shaped_mixture",
    "sample_point_process",
]
