"""The best partition under any loss: one search per file, and one function that chooses among them."""

from .choose import estimate_partition
from .result import PartitionEstimate

__all__ = ["PartitionEstimate", "estimate_partition"]
