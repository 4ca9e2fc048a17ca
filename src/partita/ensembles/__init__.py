"""Many clusterings of the same items, from any clusterer, as a distribution over partitions.

Modules import only from layers with a smaller number:

    0  plan, store
    1  ensemble
"""

from .ensemble import ensemble

__all__ = ["ensemble"]
