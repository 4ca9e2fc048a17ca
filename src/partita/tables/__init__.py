"""Tables of data, read as people have them."""

from .read import read_data

__all__ = [
    "read_data",
]
