"""Compiles two instances of a kernel of Triton's, of which one fails, and prints what its compiler made."""

import hashlib
import importlib.util
import os
import sys

os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../testdata/triton"))
if "TILESCOPE_RECORD" in os.environ:
    import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
importlib.util.find_spec("triton")  # as PyTorch does, to know whether it is there
import tilescope
import triton
from softmax import softmax
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TYPES = {"x": "*fp32", "y": "*fp32", "rows": "i32", "columns": "i32", "stride_x": "i32", "stride_y": "i32",
         "ROWS": "constexpr", "BLOCK": "constexpr"}


def compile_both():
    for block in (512, 500):
        source = ASTSource(fn=softmax, signature=TYPES, constexprs={(6,): 1, (7,): block})
        try:
            made = triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm
            print([hashlib.sha256(made[kind].encode() if isinstance(made[kind], str) else made[kind]).hexdigest()
                   for kind in ("ttir", "ttgir", "llir", "ptx", "cubin")])
        except triton.CompilationError as error:
            print(type(error).__name__)


if sys.argv[1:2] == ["block"]:
    with tilescope.record(sys.argv[2]):
        compile_both()
elif sys.argv[1:2] == ["release"]:
    triton.__version__ = "9.9.9"
    with tilescope.record(sys.argv[2]):
        compile_both()
else:
    compile_both()
