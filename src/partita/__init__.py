"""Bayesian cluster analysis: from data, or from anyone's MCMC draws, to a clustering one can defend.

Everything meets in one idea, a distribution over partitions: :class:`PartitionPosterior`. Some modules make one,
the others use one. Each module imports only from layers with a smaller number:

    0  _kernels
    1  _check, _parallel, _progress, _text
    2  _colouring, _costed, _encoding, _pairs, hyperpriors, io, partition, similarity, tables
    3  components, constraints, costs, posterior, priors
    4  losses, samplers, soft
    5  core, estimate, perturbation
    6  certainty, credible, diagnostics, experimental, pointprocess, selection, suggestion
    7  clusterers, datasets
    8  plot
    9  report
    10  cli
    11  __main__
"""

from typing import Any

import lazy_loader

_lazy, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("partita")
    return _lazy(name)
