# A ring between two roles, with fewer steps than slots and with more: as written roles run at the same time.
# ./dev lit tests/exec/ring_of_roles.py
# DEFINE: %{exec} = tilescope exec --target sm_90a %s --dim more=0
# RUN: %{exec} --dim steps=0 | FileCheck %s
# RUN: %{exec} --dim steps=1 | FileCheck %s
# RUN: %{exec} --dim steps=2 | FileCheck %s
# RUN: %{exec} --dim steps=3 | FileCheck %s
# RUN: %{exec} --dim steps=4 | FileCheck %s
# RUN: %{exec} --dim steps=6 | FileCheck %s
# RUN: %{exec} --dim steps=7 --every-pass --witness | FileCheck %s
# RUN: %{exec} --dim steps=7 --set slots=1 | FileCheck %s
# CHECK: {{^}}elaborate runs
# CHECK: equal
# CHECK-NOT: {{WRONG|differs}}

# One that waits for a phase too many: nobody can go on. What each waits for is said.
# RUN: exits 1 %{exec} --dim steps=4 --dim more=1 | FileCheck %s --check-prefix=STUCK
#      STUCK: {{^}}elaborate WRONG
# STUCK-NEXT: threads 0 to 127 wait here for phase 1 of 'full[1]', which has 0 of 128 arrivals, by thread 0 of block 0 [endless-wait]
# STUCK-NEXT: line {{[0-9]+}}: T.mbarrier_wait_parity(mbarrier=full[k % slots]
# RUN: exits 1 %{exec} --dim steps=4 --set first=0 | FileCheck %s --check-prefix=BOTH
#      BOTH: {{^}}elaborate WRONG
# BOTH-NEXT: threads 128 to 255 wait here for phase 0 of 'empty[0]', which has 0 of 128 arrivals; threads 0 to 127 wait at line {{[0-9]+}} for phase 0 of 'full[0]', which has 0 of 128 arrivals, by thread 128 of block 0 [endless-wait]
import tilelang.language as T


def ring(slots=3, first=1):
    @T.prim_func
    def main(A: T.Tensor((16, 128), "float32"), B: T.Tensor((16, 128), "float32"), steps: T.int32, more: T.int32):
        with T.Kernel(1, threads=256):
            s = T.alloc_shared((slots, 128), "float32")
            full = T.alloc_barrier([128] * slots)
            empty = T.alloc_barrier([128] * slots)
            with T.ws(1):
                for k in T.serial(steps):
                    T.mbarrier_wait_parity(mbarrier=empty[k % slots], parity=(k // slots + first) % 2)
                    T.copy(A[k, :], s[k % slots, :])
                    T.mbarrier_arrive(mbarrier=full[k % slots])
            with T.ws(0):
                T.clear(B)
                for k in T.serial(steps + more):
                    T.mbarrier_wait_parity(mbarrier=full[k % slots], parity=k // slots % 2)
                    T.copy(s[k % slots, :], B[k, :])
                    T.mbarrier_arrive(mbarrier=empty[k % slots])

    return main
