"""The compiled parts of the solver: positions in, numbers out. No Board comes here, and nothing here explains."""
