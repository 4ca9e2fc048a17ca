"""Decisions from a posterior over partitions: the Bayes estimate under a loss, its credible ball, certainty, a summary.

Modules import only from layers with a smaller number:

    0  chain_similarity, features, searches, words
    1  result
    2  compare, diagnostics, similarity_estimate
    3  estimate
    4  certainty, credible_ball, mode_search, suggest
    5  modes, profiles
    6  summary
"""

from .certainty import Certainty, JointCore, assess_certainty
from .compare import PartitionComparison, compare_partitions
from .credible_ball import CredibleBall, credible_ball
from .diagnostics import Diagnostics, diagnose
from .estimate import estimate_partition
from .modes import PartitionMode, PartitionModes, summarize_modes
from .profiles import ClusterProfiles, describe_clusters
from .result import PartitionEstimate
from .suggest import suggest_pairs
from .summary import PosteriorSummary, summarize

__all__ = [
    "Certainty",
    "ClusterProfiles",
    "CredibleBall",
    "Diagnostics",
    "JointCore",
    "PartitionComparison",
    "PartitionEstimate",
    "PartitionMode",
    "PartitionModes",
    "PosteriorSummary",
    "assess_certainty",
    "compare_partitions",
    "credible_ball",
    "describe_clusters",
    "diagnose",
    "estimate_partition",
    "suggest_pairs",
    "summarize",
    "summarize_modes",
]
