"""The one place where the door takes from the recorder what both need."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "record"))
from tilescope_record import (  # noqa: E402, F401
    PARTS, Grid, NotKnown, kernels_of, literal, load_kernel_file, summands)
