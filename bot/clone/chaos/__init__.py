"""Everything that goes wrong on real desktops, done to the clone at the moments that a seed chooses."""
