"""Compiles while the process that writes traces is killed, in threads, and in a forked process; ends by an exception."""

import os
import signal
import sys
import threading

os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../testdata/triton"))
import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
import triton
from softmax import softmax
from tilescope.recorder.triton.writing import PROCESS
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TYPES = {"x": "*fp32", "y": "*fp32", "rows": "i32", "columns": "i32", "stride_x": "i32", "stride_y": "i32",
         "ROWS": "constexpr", "BLOCK": "constexpr"}


def compiled(block):
    source = ASTSource(fn=softmax, signature=TYPES, constexprs={(6,): 1, (7,): block})
    triton.compile(source, target=GPUTarget("cuda", 80, 32))


compiler = triton.backends.backends["nvidia"].compiler
make_cubin = compiler.make_cubin


def kill_writer(*given, **named):
    """Before ptxas: it has been told of what was before that."""
    compiler.make_cubin = make_cubin
    os.kill(PROCESS.process.pid, signal.SIGKILL)
    return make_cubin(*given, **named)


compiler.make_cubin = kill_writer
compiled(128)
threads = [threading.Thread(target=compiled, args=(block,)) for block in (256, 512)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
child = os.fork()
if child == 0:
    compiled(1024)
    os._exit(0)
os.waitpid(child, 0)
compiled(2048)
raise RuntimeError("the program ends by this")
