"""The coach: advice over a board that a person plays, and a review of how it was played."""
