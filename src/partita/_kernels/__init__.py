"""Numba loops: arrays in, arrays out, no checks, no defaults.

Modules import only from layers with a smaller number:

    0  _jit
    1  _shuffle, constraints, linalg
    2  clusterers, components, costs, decide, losses, partitions, pointprocess, posterior, priors
    3  samplers, stability
"""
