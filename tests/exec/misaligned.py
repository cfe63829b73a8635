# RUN: exits 1 tilescope exec %s --set kind=row 2>&1 | FileCheck %s --check-prefix ROW
# ./dev lit tests/exec/misaligned.py
# RUN: tilescope check %s --set kind=row | FileCheck %s --check-prefix OPEN
# RUN: exits 1 tilescope exec %s --set kind=shared 2>&1 | FileCheck %s --check-prefix SHARED
# RUN: tilescope exec %s --set kind=fine --every-pass --witness | FileCheck %s --check-prefix FINE
# RUN: tilescope check %s --set kind=fine | FileCheck %s --check-prefix SHOWN
# An access of several words that starts at no multiple of its bytes.
import tilelang
import tilelang.language as T


# FINE: cuda reversed {{ *}}equal
# SHOWN: free of hazards {{ *}}yes
@tilelang.jit
def accesses(kind):
    @T.prim_func
    def main(X: T.Tensor((32, 12), "float16"), Y: T.Tensor((32, 8), "float16"), Z: T.Tensor((32, 8), "float16")):
        with T.Kernel(1, threads=32) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_shared((32, 12), "float16")
            own = T.alloc_local((9,), "float16")
            T.copy(X, tile)
            if kind == "row":
                # ROW: 'X' is accessed at [1, 0], where no access of so many bytes may start, by thread 1 of block 0; 16 times [misaligned]
                # ROW-NEXT: line [[# @LINE + 2]]:
                # OPEN: free of hazards {{ *}}not established, line [[# @LINE + 1]]: it is not established that 16 bytes of 'X' are aligned here
                T.stg128(Y[tx, 0], T.ldg128(X[tx, 0]))
            if kind == "shared":
                # SHARED: 'tile' is accessed at [0, 2], where no access of so many bytes may start
                T.stg64(Y[tx, 0], T.lds64(tile[tx, 2]))
            if kind == "fine":
                T.stg128(Y[tx, 0], T.ldg128(Y[tx << 0, 0]))
                T.stg64(Y[tx, 4], T.lds64(tile[tx, 4]))
                # A run of registers may start anywhere.
                own[1:9] = T.reinterpret(T.ldg128(Z[31 - tx, 0]), "float16")
                T.stg128(Y[tx, 0], own[1:9])

    return main
