# A file that asks for its GPU is told what the target is; --device says how many multiprocessors there are (HostAnswered).
# ./dev lit tests/frontend/host_queries.py
# RUN: tilescope compile %s:kernel --target sm_90a -o %t.cu 2>&1 | FileCheck %s --check-prefix=HOPPER
# RUN: FileCheck %s --check-prefix=LAUNCH --input-file=%t.cu
# RUN: tilescope compile %s:kernel --device sms=7 -o %t.cu 2>&1 | FileCheck %s --check-prefix=GIVEN
# RUN: exits 2 tilescope compile %s:kernel --device sms=many -o %t.cu 2>&1 | FileCheck %s --check-prefix=BAD
import torch
import tilelang
import tilelang.language as T
from tilelang.carver.arch import driver


def threads():
    if not torch.cuda.is_available() or torch.version.hip is not None:
        raise RuntimeError("no GPU")
    # HOPPER-DAG: [[# @LINE + 1]]:20: remark: 'torch.cuda.get_device_capability' is answered for sm_90a: (9, 0)
    major, minor = torch.cuda.get_device_capability(torch.device("cuda:0"))
    # HOPPER-DAG: remark: 'torch.cuda.get_device_properties' is answered for sm_90a: (9, 0)
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    assert (major, minor) == (properties.major, properties.minor)
    return 256 if major == 9 else 128


# HOPPER-DAG: remark: 'tilelang.carver.arch.driver.get_num_sms' is answered for sm_90a: 132
# GIVEN: remark: 'tilelang.carver.arch.driver.get_num_sms' is answered for sm_80: 7
# BAD: error: --device says how many multiprocessors the GPU has, 'sms=132', not 'sms=many'
@tilelang.jit
def kernel():
    blocks = driver.get_num_sms()
    count = threads()

    @T.prim_func
    def main(A: T.Tensor((blocks, count), "float32")):
        with T.Kernel(blocks, threads=count) as bx:
            for i in T.Parallel(count):
                A[bx, i] = 0.0

    return main


# LAUNCH: __launch_bounds__(256
