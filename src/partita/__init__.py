"""Bayesian cluster analysis: from data, or from anyone's MCMC draws, to a clustering one can defend.

Everything meets in one idea, a distribution over partitions: :class:`PartitionPosterior`. Some modules make one,
the others use one. Each module imports only from layers with a smaller number:

    0  _kernels
    1  _check, _parallel
    2  io, partition, similarity
    3  posterior
    4  losses, soft
    5  pointprocess
    6  clusterers
    7  datasets
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
