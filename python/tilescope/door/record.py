"""The one place where the door takes from the recorder what both need."""

from tilescope.recorder.expressions import Grid, NotKnown, summands  # noqa: F401
from tilescope.recorder.kernel_files import kernels_of, literal, load_kernel_file  # noqa: F401
from tilescope.recorder.statements import PARTS  # noqa: F401
