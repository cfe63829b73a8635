# The certificate that is shown is the one that the planner's run proved, under its own options.
# ./dev lit tests/passes/merge_shared_memory_certificate.py
# DEFINE: %{trace} = unset
# DEFINE: %{options} = --pass-option merge-shared-memory.search-nodes=1
# DEFINE: %{compile} = tilescope compile %s %{options} --trace %{trace} -o /dev/null

# A run that may look at one node proves less than one that may look at many.
# REDEFINE: %{trace} = %t.trace
# RUN: %{compile}
# RUN: tilescope show arena %t.trace --pass merge-shared-memory | FileCheck %s
# RUN: tilescope show arena %t.trace | FileCheck %s
# RUN: tilescope why %t.trace --peak | FileCheck %s
# RUN: tilescope show arena %t.trace --format json | FileCheck %s --check-prefix=JSON
# RUN: tilescope show arena %t.trace --format svg | FileCheck %s --check-prefix=SVG
# RUN: tilescope show arena %s | FileCheck %s --check-prefix=MANY
#   CHECK: packing_kernel
# CHECK-NOT: preview
#   CHECK: within 256 bytes of the bound 6,400
#    JSON: "proof": "gap"
#    JSON: "certificate": "within 256 bytes of the bound 6,400"
#    JSON: "boundBytes": 6400
#     SVG: within 256 bytes of the bound 6,400
#    MANY: packing_kernel: 6,400 of
#    MANY: optimal: live at point {{[0-9]+}} = 6,400: s0, s9, s10, s11, s12

# Before, it is a preview and says so.
# RUN: tilescope show arena %t.trace --pass vectorize | FileCheck %s --check-prefix=PREVIEW
# PREVIEW: packing: 6,400 of {{.*}} (preview)

# An edit of the text, which is read back, keeps what was proved.
# DEFINE: %{merge} = legalize-indices,simplify,plan-pipeline,inject-pipeline,infer-layouts,lower-tile-ops,guard-memory-access,vectorize,split-host-device,insert-barriers,merge-shared-memory
# DEFINE: %{named} = diff -u --label 'after merge-shared-memory' --label 'after merge-shared-memory'
# RUN: tilescope opt %s %{options} --passes '%{merge}' --tagged -o %t.merged.ir
# RUN: sed 's/threads=64/threads= 64/' %t.merged.ir > %t.edited.ir
# RUN: not %{named} %t.merged.ir %t.edited.ir > %t.patch
# REDEFINE: %{trace} = %t.edited.trace
# RUN: %{compile} --patch %t.patch
# RUN: tilescope show arena %t.edited.trace | FileCheck %s

# A second run counts from then on, with its own options.
# REDEFINE: %{trace} = %t.second.trace
# RUN: %{compile} --passes '%{merge},insert-barriers,merge-shared-memory,insert-barriers'
# RUN: tilescope show arena %t.second.trace --pass insert-barriers#2 | FileCheck %s
# RUN: tilescope show arena %t.second.trace | FileCheck %s --check-prefix=MANY
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def packing():

    @T.prim_func
    def main(A: T.Tensor((448,), "float32"), C: T.Tensor((14, 448), "float32")):
        with T.Kernel(1, threads=64) as bx:
            s0 = T.alloc_shared((320,), "float32")
            s1 = T.alloc_shared((320,), "float32")
            s2 = T.alloc_shared((320,), "float32")
            s3 = T.alloc_shared((128,), "float32")
            s4 = T.alloc_shared((448,), "float32")
            s5 = T.alloc_shared((320,), "float32")
            s6 = T.alloc_shared((192,), "float32")
            s7 = T.alloc_shared((192,), "float32")
            s8 = T.alloc_shared((192,), "float32")
            s9 = T.alloc_shared((192,), "float32")
            s10 = T.alloc_shared((448,), "float32")
            s11 = T.alloc_shared((448,), "float32")
            s12 = T.alloc_shared((192,), "float32")
            s13 = T.alloc_shared((320,), "float32")
            T.copy(A[0:320], s0)
            T.copy(A[0:320], s1)
            T.copy(A[0:320], s2)
            T.copy(A[0:128], s3)
            T.copy(s1, C[1, 0:320])
            T.copy(A[0:448], s4)
            T.copy(A[0:320], s5)
            T.copy(s4, C[4, 0:448])
            T.copy(A[0:192], s6)
            T.copy(A[0:192], s7)
            T.copy(s5, C[5, 0:320])
            T.copy(A[0:192], s8)
            T.copy(s2, C[2, 0:320])
            T.copy(A[0:192], s9)
            T.copy(s6, C[6, 0:192])
            T.copy(A[0:448], s10)
            T.copy(s8, C[8, 0:192])
            T.copy(s3, C[3, 0:128])
            T.copy(s7, C[7, 0:192])
            T.copy(A[0:448], s11)
            T.copy(A[0:192], s12)
            T.copy(s12, C[12, 0:192])
            T.copy(s9, C[9, 0:192])
            T.copy(A[0:320], s13)
            T.copy(s0, C[0, 0:320])
            T.copy(s13, C[13, 0:320])
            T.copy(s10, C[10, 0:448])
            T.copy(s11, C[11, 0:448])

    return main
