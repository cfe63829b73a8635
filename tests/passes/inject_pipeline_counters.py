# Slots of a ring that are no power of two are counted up in CUDA, with their parities; the IR divides.
# ./dev lit tests/passes/inject_pipeline_counters.py
# DEFINE: %{roles} = --target sm_90a --pass-option inject-pipeline.roles=true
# DEFINE: %{blocks} = %{roles} --pass-option inject-pipeline.blocks=2
# RUN: tilescope show ir %s:gemm %{blocks} --pass simplify#2 | FileCheck %s --check-prefix=IR
# RUN: tilescope compile %s:gemm %{blocks} -o - | FileCheck %s
# RUN: tilescope compile %s:gemm %{blocks} --no-aliases -o - | FileCheck %s --check-prefix=PLACES
# RUN: tilescope compile %s:gemm %{blocks} --pass-option inject-pipeline.counters=false -o - | FileCheck %s --check-prefix=DIVIDED
# RUN: tilescope compile %s:gemm %{blocks} --set stages=4 -o - | FileCheck %s --check-prefix=POWER
# RUN: tilescope compile %s:gemm --target sm_80 -o - | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s:gemm %{blocks} | FileCheck %s --check-prefix=REMARK
# RUN: tilescope check %s:gemm %{blocks}
# Loops of 0 to 7 steps in rings of 3, for 1 to 3 tiles:
# RUN: tilescope check %s:products %{blocks} --set tiles=3
# RUN: tilescope exec %s:products %{blocks} --set tiles=1 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:products %{blocks} --set tiles=2 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:products %{blocks} --set tiles=3 --witness | FileCheck %s --check-prefix=RUNS
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


# REMARK: slots of rings in the loop over 'k' are counted up, of 3 each, instead of divided out of 'k' [RingCounted]
# IR: for k in T.serial(0, 10, num_stages=3, versions={A_shared: 3, B_shared: 3}, injected=True, counters=True):
# IR: T.mbarrier_wait(A_shared_empty[(wave + k + 2) % 3, 0], (wave * 10 + k + 5) // 3 % 2)
# IR: T.mbarrier_wait(A_shared_full[(wave + k) % 3, 0], (wave * 10 + k) // 3 % 2)
# CHECK: // Role copy
# CHECK: int slot = (wave + 2) % 3; // (wave + k + 2) % 3, counted up
# CHECK-NEXT: int parity = (wave * 10 + 5) / 3 % 2; // (wave * 10 + k + 5) / 3 % 2, counted up
# CHECK-NEXT: for (int k = 0; k < 10; ++k) {
# CHECK-NEXT: u64 *const [[EMPTY:A_shared_empty_[a-z0-9]+]] = A_shared_empty + (slot) * A_shared_empty_slot;
# CHECK: mbarrier_wait([[EMPTY]], parity);
# CHECK: tma_load_2d(&B_shared_
# CHECK-NEXT: }
# CHECK-NEXT: slot = slot == 2 ? 0 : slot + 1;
# CHECK-NEXT: parity ^= slot == 0;
# CHECK-NEXT: }
# CHECK: // Role compute
# CHECK: int slot = wave; // (wave + k) % 3, counted up
# CHECK-NEXT: int parity = wave; // (wave * 10 + k) / 3 % 2, counted up
# CHECK-NEXT: for (int k = 0; k < 10; ++k) {
# CHECK: mbarrier_wait({{.*}}, parity);
# CHECK: mbarrier_arrive(
# CHECK-NEXT: slot = slot == 2 ? 0 : slot + 1;
# CHECK-NEXT: parity ^= slot == 0;
# CHECK-NEXT: }
# PLACES: mbarrier_wait(reinterpret_cast<u64 *>(arena + {{[0-9]+}} + (slot) * 8), parity);
# DIVIDED-NOT: slot ==
# DIVIDED: (wave + k) % 3
# DIVIDED-NOT: slot ==
# POWER-NOT: slot ==
# OLDER-NOT: slot ==
@tilelang.jit
def gemm(A, B, stages: int = 3):
    A: T.Tensor[[64, 320], T.float16]
    B: T.Tensor[[320, 128], T.float16]
    C = T.empty([64, 128], T.float16)

    with T.Kernel(4, threads=128) as column:
        A_shared = T.alloc_shared((64, 32), T.float16)
        B_shared = T.alloc_shared((32, 32), T.float16)
        C_shared = T.alloc_shared((64, 32), T.float16)
        C_local = T.alloc_fragment((64, 32), T.float32)
        T.clear(C_local)
        for k in T.Pipelined(10, num_stages=stages):
            T.copy(A[0, k * 32], A_shared)
            T.copy(B[k * 32, column * 32], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C_shared)
        T.copy(C_shared, C[0, column * 32])
    return C


@T.macro
def add_product(A, B, C_local, column, steps):
    A_shared = T.alloc_shared((64, 32), T.float16)
    B_shared = T.alloc_shared((32, 32), T.float16)
    for k in T.Pipelined(steps, num_stages=3):
        T.copy(A[0, k * 32], A_shared)
        T.copy(B[k * 32, column * 32], B_shared)
        T.gemm(A_shared, B_shared, C_local)


@tilelang.jit
def products(A, B, tiles: int = 2):
    A: T.Tensor[[64, 224], T.float16]
    B: T.Tensor[[224, 64 * tiles], T.float16]
    C = T.empty([64, 64 * tiles], T.float16)

    with T.Kernel(2 * tiles, threads=128) as column:
        C_shared = T.alloc_shared((64, 32), T.float16)
        C_local = T.alloc_fragment((64, 32), T.float32)
        T.clear(C_local)
        add_product(A, B, C_local, column, 0)
        add_product(A, B, C_local, column, 1)
        add_product(A, B, C_local, column, 2)
        add_product(A, B, C_local, column, 3)
        add_product(A, B, C_local, column, 4)
        add_product(A, B, C_local, column, 5)
        add_product(A, B, C_local, column, 6)
        add_product(A, B, C_local, column, 7)
        T.copy(C_local, C_shared)
        T.copy(C_shared, C[0, column * 32])
    return C
