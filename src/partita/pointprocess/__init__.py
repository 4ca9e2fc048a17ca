"""Random labeled point processes: Bayes labeler, Bayes clusterer, and the expected error of any partition.

Modules import only from layers with a smaller number:

    0  _validation, ball, bounds, likelihood
    1  process
    2  sampling, search
    3  draws, enumeration
    4  error_models, labeler
    5  clusterer
    6  compare
"""

from .bounds import PartitionError
from .clusterer import BayesClusterer
from .compare import compare_clusterers
from .labeler import BayesLabeler
from .process import GaussianPointProcess

__all__ = ["BayesClusterer", "BayesLabeler", "GaussianPointProcess", "PartitionError", "compare_clusterers"]
