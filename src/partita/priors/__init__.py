"""Priors on partitions, and priors on their parameters."""

from .base import DirichletProcess, FiniteDirichlet, MixtureOfFiniteMixtures, PartitionPrior, PitmanYor
from .hyperpriors import Gamma, Geometric, ShiftedPoisson

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
