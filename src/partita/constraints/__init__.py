"""Must-link and cannot-link constraints, the chunklets they make, and where they are read from.

Modules import only from layers with a smaller number:

    0  coloring, read
    1  constraints
    2  chunklets
"""

from .constraints import Constraints, check_constraints, sample_constraints

__all__ = [
    "Constraints",
    "check_constraints",
    "sample_constraints",
]
