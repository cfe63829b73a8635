# RUN: tilescope show costs %s:main | FileCheck %s
# ./dev lit tests/views/costs.py
# RUN: tilescope show costs %s:main --format json | FileCheck %s --check-prefix=JSON
# RUN: tilescope show costs %s:main --pass infer-layouts | FileCheck %s --check-prefix=NONE
# RUN: tilescope show costs %s:main --pass merge-shared-memory | FileCheck %s --check-prefix=EARLY
import tilelang.language as T

# NONE: no costs are known yet: they are once merge-shared-memory has planned the arena
@T.prim_func
def main(A: T.Tensor((32, 32), "float32"), B: T.Tensor((32, 32), "float32")):
    with T.Kernel(1, threads=32) as bx:
        tile = T.alloc_shared((32, 32), "float32")
        sums = T.alloc_local((4,), "float32")
        thread = T.get_thread_binding()
        for i in T.serial(32):
            tile[i, thread] = A[i, thread]
        for i in T.serial(4):
            sums[i] = 0.0
        for i in T.serial(32):
            sums[i % 4] = sums[i % 4] + tile[thread, i]
        for i in T.serial(4):
            B[i, thread] = sums[i]

#      CHECK:fragments and arrays of threads hold up to 4 registers of a thread, at IR line
#      CHECK:IR  CUDA  line  registers  bytes a lane  passes a warp  conflicts  {{ *}}statement
# CHECK-NEXT:{{[0-9]+ +[0-9]+}} {{ *}}16    0 {{ *}}4 {{ *}}1 {{ *}}none {{ *}}writes tile  tile[i, tx] = A[i, tx]
# The array is live from its first element on, and not behind the last.
# CHECK-NEXT:{{[0-9]+ +[0-9]+}} {{ *}}18    4 {{ *}}sums[
# CHECK-NEXT:{{[0-9]+ +[0-9]+}} {{ *}}20    4 {{ *}}4 {{ *}}32 {{ *}}31 {{ *}}reads tile   sums[
#  CHECK-NOT:{{^[0-9]}}

# JSON:      "irLine": {{[0-9]+}},
# JSON-NEXT: "cudaLine": {{[0-9]+}},
# JSON:      "laneBytes": 4,
# JSON-NEXT: "passes": 1,
# JSON-NEXT: "leastPasses": 1
# JSON:      "mostRegisters": 4,

# EARLY: {{^[0-9]+ +16 +0 .* writes tile}}
