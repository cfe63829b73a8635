# tilescope-ir 1
# ./dev lit tests/ir/tagged.py
# RUN: tilescope opt --passes '' --tagged %s > %t && tilescope opt --passes '' --tagged %t | diff %t -
# RUN: FileCheck %s < %t

# Tagged text is a fixed point, and says which statement stands where.
# CHECK-LABEL: def scale(  #@ span=
# CHECK: A: T.Tensor((n,), "float32", output=True),  #@ b[[A:[0-9]+]] span=
# CHECK: n: T.int32,  #@ v
# CHECK: r = T.alloc_local((4,), "float32")  #@ b{{[0-9]+}} span=
# CHECK: with T.Kernel((n + 127) // 128, threads=128) as (bx, tx):  #@ s{{[0-9]+}} span={{[0-9:-]+}} v{{[0-9]+}} v{{[0-9]+}} body s
# CHECK: if i < n:  #@ s{{[0-9]+}} span={{[0-9:-]+$}}
# CHECK: else:  #@ body s
@T.prim_func
def scale(
    A: T.Tensor((n,), "float32", output=True),
    n: T.int32,
):
    r = T.alloc_local((4,), "float32")
    with T.Kernel((n + 127) // 128, threads=128) as (bx, tx):
        i: T.int32 = bx * 128 + tx
        if i < n:
            A[i] = A[i] * 2.0
        else:
            r[0] = T.infinity("float32")
            for k in T.serial(1, 4):
                r[k] = 1.0 if k < 2 else -0.5
