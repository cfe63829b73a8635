# RUN: not tilescope compile %s:inside --set kind=copy 2>&1 | FileCheck %s --check-prefix COPY
# ./dev lit tests/diagnostics/fail_inside_parallel.py
# RUN: not tilescope compile %s:inside --set kind=ragged 2>&1 | FileCheck %s --check-prefix RAGGED
# RUN: tilescope show ir %s:inside --set kind=nest --pass elaborate | FileCheck %s --check-prefix NEST
import tilelang
import tilelang.language as T


@tilelang.jit
def inside(kind):
    @T.prim_func
    def main(X: T.Tensor((64, 64), "float32"), Y: T.Tensor((64, 64), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_shared((64, 64), "float32")
            if kind == "copy":
                for i in T.Parallel(64):
                    # COPY: [[# @LINE + 1]]:{{.*}}error: 'copy' may not stand inside of a T.Parallel
                    T.copy(X[i, 0:64], tile[i, 0:64])
            if kind == "ragged":
                for i in T.Parallel(64):
                    # RAGGED: [[# @LINE + 1]]:{{.*}}error: another T.Parallel may not stand inside of a T.Parallel
                    for j in T.Parallel(i):
                        Y[i, j] = X[i, j]
            if kind == "nest":
                # NEST: for i, j in T.Parallel(64, 64):
                # NEST-NEXT: Y[i, j] = X[i, j]
                for i in T.Parallel(64):
                    for j in T.Parallel(64):
                        Y[i, j] = X[i, j]

    return main
