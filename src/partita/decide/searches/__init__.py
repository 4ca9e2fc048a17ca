"""Searches for the partition with least posterior expected loss, one per file.

Modules import only from layers with a smaller number:

    0  options, reallocation, target
    1  draws, exhaustive, linkage, multistart, table_reallocation
    2  bound, hasse, matching, sweep
"""
