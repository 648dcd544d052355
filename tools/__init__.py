"""What is run by hand now and then to make files of this repository."""
