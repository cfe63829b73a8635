"""What is wrong with what the user gave."""


class Problem(Exception):
    """Said in one line; the exit code is 2."""
