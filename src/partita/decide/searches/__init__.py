"""Searches for the partition with least posterior expected loss, one per file.

Modules import only from layers with a smaller number:

    0  options, reallocation, target, units
    1  expected, exhaustive, linkage, multistart, table_reallocation
    2  bound, draws, matching, sweep
    3  hasse
"""
