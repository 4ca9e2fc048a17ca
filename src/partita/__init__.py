"""Bayesian cluster analysis: from data, or from anyone's MCMC draws, to a clustering one can defend.

Everything meets in one idea, a distribution over partitions: :class:`PartitionPosterior`. Some modules make one,
the others use one. Each package or module imports only from layers with a smaller number; inside packages too, as
their docstrings say:

    0  _kernels, _progress, _typing
    1  _files, _parallel, _validation
    2  partitions, tables
    3  components, constraints, costs, posterior, priors
    4  losses, samplers
    5  decide
    6  stability
    7  experimental, pointprocess, selection
    8  clusterers, datasets
    9  plot
    10  report
    11  cli
    12  __main__
"""

from typing import Any

import lazy_loader

_lazy, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("partita")
    return _lazy(name)
