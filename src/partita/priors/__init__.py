"""Priors on partitions, and priors on their parameters.

Modules import only from layers with a smaller number:

    0  hyperpriors, n_clusters
    1  base
    2  dirichlet_process, finite_dirichlet
    3  mixture_of_finite_mixtures, pitman_yor
"""

from .base import PartitionPrior
from .dirichlet_process import DirichletProcess
from .finite_dirichlet import FiniteDirichlet
from .hyperpriors import Gamma, Geometric, ShiftedPoisson
from .mixture_of_finite_mixtures import MixtureOfFiniteMixtures
from .pitman_yor import PitmanYor

__all__ = [
    "DirichletProcess",
    "FiniteDirichlet",
    "Gamma",
    "Geometric",
    "MixtureOfFiniteMixtures",
    "PartitionPrior",
    "PitmanYor",
    "ShiftedPoisson",
]
