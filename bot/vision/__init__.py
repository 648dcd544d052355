"""Pixels to a Board: the lattice, the tiles, the counters, and how sure each of them is."""
