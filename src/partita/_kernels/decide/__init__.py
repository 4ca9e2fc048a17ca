"""Kernels that search for partitions and say how certain they are.

Modules do not import from each other:

    0  bound, co_membership, joint_agreement, reallocation
"""
