"""Constraints as kernels read them.

Modules do not import from each other:

    0  chunklets
"""
