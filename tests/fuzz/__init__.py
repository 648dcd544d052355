"""Bad input: what strangers' files, and files gone bad, do to the commands that read them."""
