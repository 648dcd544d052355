"""Pixels to a Board: the lattice, the tiles, the counters, and how sure each of them is."""

import cv2

# The pictures are small: handing parts of them to other threads gains little on an idle machine, and on a busy one
# every tile waits for its turn with the scheduler.
cv2.setNumThreads(1)
