"""Bayesian cluster analysis: from data, or from anyone's MCMC draws, to a clustering one can defend.

Everything meets in one idea, a distribution over partitions: :class:`PartitionPosterior`. Some modules make one,
the others use one. Each package or module imports only from layers with a smaller number; inside packages too, as
their docstrings say:

    0  _kernels, _progress, _typing
    1  _parallel, _validation
    2  _files, partitions
    3  tables
    4  components, constraints, costs, posterior, priors
    5  losses, samplers
    6  decide
    7  stability
    8  experimental, pointprocess, selection
    9  clusterers, datasets, ensembles
    10  plot
    11  report
    12  cli
    13  __main__
"""

from typing import Any

import lazy_loader

_lazy, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("partita")
    return _lazy(name)
