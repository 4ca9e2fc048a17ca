"""Data tables from files.

One module so far:

    0  read
"""

from .read import read_data

__all__ = [
    "read_data",
]
