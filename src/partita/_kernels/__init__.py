"""Numba loops: arrays in, arrays out, no checks, no defaults.

Modules import only from layers with a smaller number:

    0  _lean, _pieces
    1  _jit
    2  _shuffle, constraints, exponential, linalg
    3  clusterers, components, costs, decide, losses, partitions, pointprocess, posterior, priors
    4  samplers, stability
"""
