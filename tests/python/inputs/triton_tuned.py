"""Launches a kernel of Triton's and tunes another, on a driver that runs nothing: no GPU is needed."""

import os
import sys

os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../testdata/triton"))
import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
import triton
from softmax import softmax
from triton.backends.compiler import GPUTarget


class Utils:
    def get_device_properties(self, device):
        return {"max_shared_mem": 200_000}

    def load_binary(self, name, kernel, shared, device):
        return "module", "function", 32, 0, 1024

    def unload_module(self, module):
        pass


class Driver:
    utils = Utils()

    def get_current_target(self):
        return GPUTarget("cuda", 80, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def launcher_cls(self, source, metadata):
        return lambda *_: print("launched", metadata.name)


class Tensor:
    dtype = "float32"

    def data_ptr(self):
        return 1 << 20


triton.runtime.driver.set_active(Driver())
x = Tensor()
softmax[(1, )](x, x, 4, 512, 512, 512, ROWS=4, BLOCK=512)
softmax[(1, )](x, x, 4, 512, 512, 512, ROWS=4, BLOCK=512)
times = iter([3.0, 1.0, 2.0])
configs = [triton.Config({"ROWS": rows}, num_warps=warps) for rows, warps in ((1, 4), (2, 4), (2, 8))]
tuned = triton.autotune(configs, key=["columns"], do_bench=lambda call, quantiles: (call(), [next(times)] * 3)[1])(softmax)
tuned[(1, )](x, x, 4, 256, 256, 256, BLOCK=256)
print("best", tuned.best_config.kwargs)
