# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_tma_hazard.py
# A pipeline that is sound, for any length, and each fault that can be planted in it: by the judge, and by execution.
# RUN: tilescope opt --target sm_90a --passes simplify %s 2>&1 | FileCheck %s --check-prefix=SOUND
# RUN: sed 's/T.serial(n)/T.serial(7)/; s/ < n:/ < 7:/' %s > %t.py
# RUN: tilescope exec --target sm_90a --dim n=5 %s
# RUN: sed '/# waits$/d' %t.py > %t.waits.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.waits.py 2>&1 | FileCheck %s --check-prefix=ARRIVED
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.waits.py | FileCheck %s --check-prefix=READ
# RUN: sed 's|k // 2 % 2|(k // 2 + 1) % 2|' %t.py > %t.parity.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.parity.py 2>&1 | FileCheck %s --check-prefix=PARITY
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.parity.py | FileCheck %s --check-prefix=READ
# RUN: sed 's|bytes=8192) # loop|bytes=4096) # loop|' %t.py > %t.bytes.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.bytes.py 2>&1 | FileCheck %s --check-prefix=ARRIVED
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.bytes.py | FileCheck %s --check-prefix=ENDLESS
# RUN: sed '/# loop$/d' %t.py > %t.expects.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.expects.py 2>&1 | FileCheck %s --check-prefix=ARRIVED
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.expects.py | FileCheck %s --check-prefix=ENDLESS
# RUN: sed 's|a\[(k + 1) % 2|a[k % 2|' %t.py > %t.slot.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.slot.py 2>&1 | FileCheck %s --check-prefix=ARRIVED
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.slot.py | FileCheck %s --check-prefix=WRITTEN
# RUN: sed '/# meets$/d' %t.py > %t.meets.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.meets.py 2>&1 | FileCheck %s --check-prefix=MEETS
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.meets.py | FileCheck %s --check-prefix=RACE
# RUN: sed '/# fences$/d' %t.py > %t.fences.py
# RUN: tilescope opt --target sm_90a --passes simplify %t.fences.py 2>&1 | FileCheck %s --check-prefix=FENCED
# RUN: sed '/# begins$/d' %t.py > %t.begins.py
# RUN: tilescope opt --target sm_90a --passes simplify %t.begins.py 2>&1 | FileCheck %s --check-prefix=BEGINS
# RUN: exits 1 tilescope exec --target sm_90a --dim n=7 %t.begins.py | FileCheck %s --check-prefix=RACE
# RUN: sed '/mbarrier_init/d' %t.py > %t.none.py
# RUN: not tilescope opt --target sm_90a --passes simplify %t.none.py 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: sed 's/T.barrier() # begins/T.mbarrier_init(full[1, 0])/' %t.py > %t.twice.py
# RUN: tilescope opt --target sm_90a --passes simplify %t.twice.py 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# NONE: error: 'a' is accessed before the asynchronous copy of 'a' has been waited for
# UNKNOWN: it is not established that accesses of 'a' are in order
# ARRIVED: error: {{nothing orders this access of 'a'|threads wait here for ever}}
# PARITY: error: threads wait here for ever: nothing that they wait for is left to come
# MEETS: error: nothing orders this access of 'a' and that of 'a' by other threads
# FENCED: warning: it is not established that accesses of 'a' are in order: 'a' is accessed through the asynchronous proxy, and no fence
# BEGINS: warning: it is not established that accesses of 'full' are in order: nothing orders this access of 'full' and that of 'full' by other threads
# SOUND-NOT: warning:
# READ: [read-in-flight]
# ENDLESS: [endless-wait]
# WRITTEN: [{{write-in-flight|read-in-flight|race}}]
# RACE: [race]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def counted(
    n: T.int32,
    A: T.Tensor((64, n * 64), "float16"),
    C: T.Tensor((n, 64), "float16", output=True),
):
    a = T.alloc_shared((64, 64), "float16", versions=2, layout="aligned_swizzle(128)", offset=0)
    full = T.alloc_shared((1,), "uint64", versions=2, offset=16384)
    with T.Kernel(1, threads=64) as (bx, tx):
        T.mbarrier_init(full[0, 0])
        T.mbarrier_init(full[1, 0])
        T.barrier() # begins
        if 0 < n:
            T.mbarrier_arrive_expect(full[0, 0], bytes=8192)
            T.tma_load(A[0:64, 0:64], a[0, 0:64, 0:64], full[0, 0])
        for k in T.serial(n):
            if k + 1 < n:
                T.mbarrier_arrive_expect(full[(k + 1) % 2, 0], bytes=8192) # loop
                T.tma_load(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], a[(k + 1) % 2, 0:64, 0:64], full[(k + 1) % 2, 0])
            T.mbarrier_wait(full[k % 2, 0], k // 2 % 2) # waits
            C[k, tx] = a[k % 2, tx, 63 - tx]
            T.proxy_fence() # fences
            T.barrier() # meets
