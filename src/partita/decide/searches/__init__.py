"""Searches for the partition with least posterior expected loss, one per file."""
