"""What to report of a posterior over partitions: the best partition under a loss, its credible ball, who is certain.

Modules import only from layers with a smaller number:

    0  joint_core, result, searches
    1  certainty, credible_ball, diagnostics, estimate
    2  suggest
"""

from .certainty import Certainty, assess_certainty
from .credible_ball import CredibleBall, credible_ball
from .diagnostics import Diagnostics, diagnose
from .estimate import estimate_partition
from .joint_core import JointCore
from .result import PartitionEstimate
from .suggest import suggest_pairs

__all__ = [
    "Certainty",
    "CredibleBall",
    "Diagnostics",
    "JointCore",
    "PartitionEstimate",
    "assess_certainty",
    "credible_ball",
    "diagnose",
    "estimate_partition",
    "suggest_pairs",
]
