"""What is wrong with what the user gave."""


class Problem(Exception):
    """A verb that ends with one says it, and its exit code is 2."""

    def said(self) -> str:
        return f"tilescope: error: {self}"


class PlacedProblem(Problem):
    """Its lines begin with where it is: FILE:LINE."""

    def said(self) -> str:
        return str(self)
