# RUN: tilescope show ir %s --pass elaborate | FileCheck %s
# ./dev lit tests/frontend/raw_accesses.py
import tilelang
import tilelang.language as T


# As many elements as there are in the bytes, wherever the operand starts; values of several words are
# registers.
@tilelang.jit
def accesses():
    @T.prim_func
    def main(X: T.Tensor((64, 64), "float16"), Y: T.Tensor((64, 64), "float16"), W: T.Tensor((64,), "uint32")):
        with T.Kernel(1, threads=32) as bx:
            tx = T.get_thread_binding()
            s = T.alloc_shared((256,), "float16")
            own = T.alloc_local((8,), "float16")
            # CHECK: T.raw_copy(X[tx, 0:8], words[0:4])
            # CHECK-NEXT: T.raw_copy(words[0:4], s[tx * 8:tx * 8 + 8])
            T.sts128(s[tx * 8], T.ldg128(X[tx, 0]))
            # CHECK-NEXT: words_1[0] = T.uint32(0)
            # CHECK-NEXT: words_1[1] = T.uint32(0)
            # CHECK-NEXT: if tx < 8:
            # CHECK-NEXT: T.raw_copy(X[0, 0:4], words_1[0:2], bytes=8)
            pair = T.ldg64(X[0, 0:4], pred=tx < 8)
            # CHECK: if tx < 4:
            # CHECK-NEXT: T.raw_copy(words_1[0:2], Y[tx, 0:4], bytes=8)
            T.stg64(Y[tx, 0], pair, pred=tx < 4)
            # CHECK: T.raw_copy(X[0, 2:4], words_2[0], bytes=4)
            # CHECK-NEXT: W[tx] = words_2[0]
            W[tx] = T.ldg32(X[0, 2:4])
            # CHECK-NEXT: word[0] = W[1]
            # CHECK-NEXT: T.raw_copy(word[0], Y[0, 2:4], bytes=4)
            T.stg32(Y[0, 2], W[1])
            # CHECK-NEXT: T.raw_copy(X[1, 0:8], words_3[0:4])
            # CHECK-NEXT: T.raw_copy(words_3[0:4], vector[0:8])
            # CHECK-NEXT: T.raw_copy(vector[0:8], own[0:8])
            own[0:8] = T.reinterpret(T.ldg128(X[1, 0]), "float16")
            # CHECK-NEXT: Y[2, tx] = X[2, tx]
            Y[2, tx] = T.__ldg(X[2, tx])

    return main
