"""Data tables from files: numbers as people write them, and which columns are measurements.

Modules import only from layers with a smaller number:

    0  numbers, roles
    1  text
    2  read
"""

from .read import read_data

__all__ = [
    "read_data",
]
