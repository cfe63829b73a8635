# RUN: tilescope compile --target sm_90a %s:chain --emit cuda | FileCheck %s
# ./dev lit tests/frontend/pdl.py
# RUN: exits 2 tilescope compile --target sm_80 %s:chain 2>&1 | FileCheck %s --check-prefix=OLD
import tilelang.language as T


# Without a wait in itself a launch begins as others do.
# CHECK-LABEL: void __launch_bounds__(128) chain_kernel(
# CHECK-SAME: const float *__restrict__ A
# CHECK: pdl_trigger();
# CHECK: chain_kernel<<<grid, 128, 0, stream>>>(
# CHECK-LABEL: void __launch_bounds__(128) chain_kernel_1(
# CHECK-SAME: const float *W, const float *B, float *C
# CHECK: const float w = W[
# CHECK-NEXT: pdl_sync();
# CHECK-NEXT: C[{{.*}}] = w * B[
# CHECK: early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
# CHECK: return cudaLaunchKernelEx(&config, chain_kernel_1, W, B, C);
@T.prim_func
def chain(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), B: T.Tensor((512,), "float32"),
          C: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        tx = T.get_thread_binding()
        # OLD: [[# @LINE + 1]]:9: error: T.pdl_trigger is of sm_90 and newer, but the target is sm_80
        T.pdl_trigger()
        B[bx * 128 + tx] = A[bx * 128 + tx]
    with T.Kernel(4, threads=128) as bx:
        tx = T.get_thread_binding()
        w = W[bx * 128 + tx]
        # OLD: [[# @LINE + 1]]:9: error: T.pdl_sync is of sm_90 and newer, but the target is sm_80
        T.pdl_sync()
        C[bx * 128 + tx] = w * B[bx * 128 + tx]
