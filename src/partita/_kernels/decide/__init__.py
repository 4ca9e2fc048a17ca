"""Kernels of searches for the Bayes estimate and of certainty.

Modules do not import from each other:

    0  bound, co_membership, joint_agreement, reallocation
"""
