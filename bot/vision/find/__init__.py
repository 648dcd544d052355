"""Where the tiles are: the lattice of a board in a picture, found from lines and settled by tiles."""
