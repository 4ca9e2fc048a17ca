"""Must-link and cannot-link constraints, the chunklets they make, and where they are read from."""

from .constraints import Constraints, check_constraints, sample_constraints

__all__ = [
    "Constraints",
    "check_constraints",
    "sample_constraints",
]
