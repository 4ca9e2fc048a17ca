"""Random labeled point processes: how wrong a clustering will be, and the clustering that is least wrong."""

from .bounds import PartitionError
from .clusterer import BayesClusterer
from .compare import compare_clusterers
from .labeler import BayesLabeler
from .process import GaussianPointProcess

__all__ = ["BayesClusterer", "BayesLabeler", "GaussianPointProcess", "PartitionError", "compare_clusterers"]
