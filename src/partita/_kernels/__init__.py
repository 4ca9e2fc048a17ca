"""Numba loops: arrays in, arrays out, no checks, no defaults."""
