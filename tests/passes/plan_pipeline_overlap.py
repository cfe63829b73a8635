# tilescope-ir 1
# ./dev lit tests/passes/plan_pipeline_overlap.py
# RUN: tilescope opt --target sm_90a %s --passes 'plan-pipeline{overlap-products=true}' | FileCheck %s
# RUN: tilescope opt --target sm_90a %s --passes 'plan-pipeline{overlap-products=true},inject-pipeline{roles=true}' | FileCheck %s --check-prefix=ROLES
# RUN: tilescope opt --target sm_80 %s --passes 'plan-pipeline{overlap-products=true}' | FileCheck %s --check-prefix=OLDER

# The second product is one iteration behind everything else, and starts right after the first. Copies are an iteration
# ahead of their consumers.
# CHECK-LABEL: def attention(
# CHECK: schedule=[(0, 0, 0, 0), (1, 2, 1, -1), (2, 4, 1, -1), (3, 5, 1, -1), (4, 6, 1, -1), (5, 1, 1, 1), (6, 3, 2, -1)], versions={K_s: 2, V_s: 2}
# Nothing runs by itself on this one.
# OLDER-LABEL: def attention(
# OLDER: schedule=[(0, 5, 0, 0), (1, 1, 2, -1), (2, 2, 2, -1), (3, 3, 2, -1), (4, 4, 2, -1), (5, 0, 1, 1), (6, 6, 2, -1)]

# Copies of a step come first; of a loop without iterations the last product does not run either.
# ROLES-LABEL: def attention(
# ROLES: name="copy"):
# ROLES: for k in T.serial(0, n - 1,
# ROLES-NEXT: if k + 2 < n:
# ROLES-NEXT: T.mbarrier_wait(K_s_empty[(k + 2) % 2, 0], (k + 2 + 2) // 2 % 2)
# ROLES: T.mbarrier_wait(V_s_empty[(k + 1) % 2, 0], (k + 1 + 2) // 2 % 2)
# ROLES: T.ws(0, name="compute"):
# ROLES: T.mbarrier_wait(K_s_full[0, 0], 0)
# ROLES-NEXT: if 0 < n:
# ROLES-NEXT: T.gemm(Q_s[0:64, 0:64], K_s[0, 0:64, 0:64], S[0:64, 0:64], clear_accum=True, transpose_B=True)
# ROLES-NEXT: T.mbarrier_arrive(K_s_empty[0, 0])
# ROLES: for k in T.serial(0, n - 1,
# ROLES-NEXT: T.mbarrier_wait(K_s_full[(k + 1) % 2, 0], (k + 1) // 2 % 2)
# ROLES-NEXT: T.gemm(Q_s[0:64, 0:64], K_s[(k + 1) % 2, 0:64, 0:64], S[0:64, 0:64], clear_accum=True, transpose_B=True)
# ROLES-NEXT: T.mbarrier_wait(V_s_full[k % 2, 0], k // 2 % 2)
# ROLES-NEXT: T.gemm(P[0:64, 0:64], V_s[k % 2, 0:64, 0:64], O[0:64, 0:64])
# What the products read is released as late as their registers are touched.
# ROLES-NEXT: T.mbarrier_arrive(K_s_empty[(k + 1) % 2, 0])
# ROLES-NEXT: T.reduce(S[0:64, 0:64], m[0:64]
# ROLES-NEXT: T.mbarrier_arrive(V_s_empty[k % 2, 0])
# ROLES-NEXT: T.copy(S[0:64, 0:64], P[0:64, 0:64])
# ROLES-NEXT: for i, j in T.Parallel(64, 64):
# ROLES: T.mbarrier_wait(V_s_full[(n - 1) % 2, 0], (n - 1) // 2 % 2)
# ROLES-NEXT: if 0 < n:
# ROLES-NEXT: T.gemm(P[0:64, 0:64], V_s[(n - 1) % 2, 0:64, 0:64], O[0:64, 0:64])
# ROLES-NEXT: T.mbarrier_arrive(V_s_empty[(n - 1) % 2, 0])
@T.prim_func(properties=["tile"])
def attention(n: T.int32, Q: T.Tensor((64, 64), "float16"), K: T.Tensor((n * 64, 64), "float16"), V: T.Tensor((n * 64, 64), "float16"), R: T.Tensor((64, 64), "float32", output=True)):
    Q_s = T.alloc_shared((64, 64), "float16")
    K_s = T.alloc_shared((64, 64), "float16")
    V_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    O = T.alloc_fragment((64, 64), "float32")
    m = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(Q[0:64, 0:64], Q_s[0:64, 0:64])
        T.fill(O[0:64, 0:64], 0.0)
        T.fill(m[0:64], 0.0)
        for k in T.Pipelined(n, num_stages=2):
            T.copy(K[k * 64:k * 64 + 64, 0:64], K_s[0:64, 0:64])
            T.gemm(Q_s[0:64, 0:64], K_s[0:64, 0:64], S[0:64, 0:64], clear_accum=True, transpose_B=True)
            T.reduce(S[0:64, 0:64], m[0:64], kind="max", dim=1, clear=False)
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            for i, j in T.Parallel(64, 64):
                O[i, j] = O[i, j] * m[i]
            T.copy(V[k * 64:k * 64 + 64, 0:64], V_s[0:64, 0:64])
            T.gemm(P[0:64, 0:64], V_s[0:64, 0:64], O[0:64, 0:64])
        T.copy(O[0:64, 0:64], R[0:64, 0:64])

# What the first product of an iteration needs of the second of the one before keeps their order.
# CHECK-LABEL: def recurrence(
# CHECK: schedule=[(0, 0, 0, 0), (1, 1, 1, -1), (2, 2, 1, -1), (3, 3, 1, -1), (4, 4, 1, -1)]
@T.prim_func(properties=["tile"])
def recurrence(A: T.Tensor((512, 64), "float16"), R: T.Tensor((64, 64), "float32", output=True)):
    A_s = T.alloc_shared((64, 64), "float16")
    H_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    O = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.fill(H_s[0:64, 0:64], T.float16(0.0))
        T.fill(O[0:64, 0:64], 0.0)
        for k in T.Pipelined(8, num_stages=2):
            T.copy(A[k * 64:k * 64 + 64, 0:64], A_s[0:64, 0:64])
            T.gemm(H_s[0:64, 0:64], A_s[0:64, 0:64], S[0:64, 0:64], clear_accum=True)
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            T.gemm(P[0:64, 0:64], A_s[0:64, 0:64], O[0:64, 0:64])
            T.copy(O[0:64, 0:64], H_s[0:64, 0:64])
        T.copy(O[0:64, 0:64], R[0:64, 0:64])
