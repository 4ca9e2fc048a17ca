"""scikit-learn estimators, one per file."""

from .mixture import BayesianMixture

__all__ = ["BayesianMixture"]
