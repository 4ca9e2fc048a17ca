"""Data tables from files: numbers as people write them, and which columns are measurements.

Modules import only from layers with a smaller number:

    0  numbers, roles
    1  encode, text
    2  blocks, read
"""

from .encode import encode_numbers
from .read import read_data

__all__ = [
    "encode_numbers",
    "read_data",
]
