"""Tilescope in Python: its programs, and what records and feeds TileLang's own compiler.

`tilescope.programs.path("tilescope")` is the program; `python -m tilescope` has its verbs and those that need Python.
`tilescope.__version__` is the version of the package.
"""


def __getattr__(name: str) -> str:
    # Asked for late: reading metadata takes longer than all the rest of the package.
    if name == "__version__":
        from tilescope import programs

        return programs.version()
    raise AttributeError(f"module 'tilescope' has no attribute '{name}'")
