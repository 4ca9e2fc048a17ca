"""Priors on partitions, and priors on their parameters."""

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
