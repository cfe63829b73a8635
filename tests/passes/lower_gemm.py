# tilescope-ir 1
# ./dev lit tests/passes/lower_gemm.py
# RUN: tilescope opt %s --passes inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s

# Both operands have k as their rows: B is transposed by ldmatrix, A is not.
# CHECK-LABEL: def plain(
# CHECK: ldmatrix_row: T.int32 = tx // 32 % 2 * 32 + tx % 16
# CHECK-NEXT: ldmatrix_col: T.int32 = tx // 16 % 2 * 8
# CHECK-NEXT: ldmatrix_row_1: T.int32 = tx % 16
# CHECK-NEXT: ldmatrix_col_1: T.int32 = tx // 64 * 32 + tx // 16 % 2 * 8
# CHECK-NEXT: for k_step in T.unroll(0, 2):
# CHECK-NEXT: for i in T.unroll(0, 2):
# CHECK-NEXT: T.ldmatrix(A_shared[ldmatrix_row + i * 16, ldmatrix_col + k_step * 16:{{.*}}], A_shared_regs[i * 8:i * 8 + 8])
# CHECK-NEXT: for j in T.unroll(0, 2):
# CHECK-NEXT: T.ldmatrix(B_shared[ldmatrix_row_1 + k_step * 16, ldmatrix_col_1 + j * 16:{{.*}}], B_shared_regs[j * 8:j * 8 + 8], trans=True)
# CHECK-NEXT: for i in T.unroll(0, 2):
# CHECK-NEXT: for j in T.unroll(0, 4):
# CHECK-NEXT: T.mma(A_shared_regs[i * 8:i * 8 + 8], B_shared_regs[j * 4:j * 4 + 4], C_local[(i * 4 + j) * 4:{{.*}}])
@T.prim_func(properties=["tile"])
def plain():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64])

# The other two: A transposed, B not.
# CHECK-LABEL: def both_transposed(
# CHECK: ldmatrix_row: T.int32 = tx // 16 % 2 * 8 + tx % 8
# CHECK-NEXT: ldmatrix_col: T.int32 = tx // 32 % 2 * 32 + tx // 8 % 2 * 8
# CHECK-NEXT: ldmatrix_row_1: T.int32 = tx // 64 * 32 + (tx // 16 % 2 * 8 + tx % 8)
# CHECK-NEXT: ldmatrix_col_1: T.int32 = tx // 8 % 2 * 8
# CHECK: T.ldmatrix(A_shared[ldmatrix_row + k_step * 16, ldmatrix_col + i * 16:{{.*}}], A_shared_regs[{{.*}}], trans=True)
# CHECK: T.ldmatrix(B_shared[ldmatrix_row_1 + j * 16, ldmatrix_col_1 + k_step * 16:{{.*}}], B_shared_regs[{{[^]]*}}])
@T.prim_func(properties=["tile"])
def both_transposed():
    A_shared = T.alloc_shared((32, 64), "float16")
    B_shared = T.alloc_shared((64, 32), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:32, 0:64], B_shared[0:64, 0:32], C_local[0:64, 0:64], transpose_A=True, transpose_B=True)

# A product that becomes the operand of the next one stays in registers: with all warps along the
# rows its layout is the operand's, and only its type changes.
# CHECK-LABEL: def chained(
# CHECK: S = T.alloc_local((8,), "float32", layout="fragment(4@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1)")
# CHECK: P = T.alloc_local((8,), "float16", layout="fragment(4@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1)")
# CHECK: P[row_step * 2 + (col_step * 4 + col_step_1)] = T.float16(S[row_step * 2 + (col_step * 4 + col_step_1)])
# CHECK-NOT: P_regs
# CHECK: T.mma(P[0:8], V_shared_regs[j * 4:j * 4 + 4], O[j * 4:j * 4 + 4])
@T.prim_func(properties=["tile"])
def chained():
    Q_shared = T.alloc_shared((64, 32), "float16")
    K_shared = T.alloc_shared((16, 32), "float16")
    V_shared = T.alloc_shared((16, 32), "float16")
    S = T.alloc_fragment((64, 16), "float32")
    P = T.alloc_fragment((64, 16), "float16")
    O = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(Q_shared[0:64, 0:32], K_shared[0:16, 0:32], S[0:64, 0:16], clear_accum=True, transpose_B=True, policy="full_row")
        T.copy(S[0:64, 0:16], P[0:64, 0:16])
        T.gemm(P[0:64, 0:16], V_shared[0:16, 0:32], O[0:64, 0:32], policy="full_row")

# `clear_accum` may depend on the iteration.
# CHECK-LABEL: def cleared(
# CHECK: if k == 0:
# CHECK-NEXT: for r in T.unroll(0, 8):
# CHECK-NEXT: C_local[r] = 0.0
@T.prim_func(properties=["tile"])
def cleared():
    A_shared = T.alloc_shared((16, 16), "bfloat16")
    B_shared = T.alloc_shared((16, 16), "bfloat16")
    C_local = T.alloc_fragment((16, 16), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for k in T.serial(0, 4):
            T.gemm(A_shared[0:16, 0:16], B_shared[0:16, 0:16], C_local[0:16, 0:16], clear_accum=k == 0)

# 8-bit operands: the same lanes, 16 elements in a row of 16 bytes. 24 columns are three single
# tiles, which are loaded one by one.
# CHECK-LABEL: def bytes_operands(
# CHECK: ldmatrix_col: T.int32 = tx // 16 * 16
# CHECK-NEXT: ldmatrix_row_1: T.int32 = tx % 8
# CHECK-NEXT: ldmatrix_col_1: T.int32 = tx // 8 % 2 * 16
# CHECK: T.ldmatrix(B_shared[ldmatrix_row_1 + j * 8, {{.*}}], B_shared_regs[j * 8:j * 8 + 8], matrices=2)
# CHECK: T.mma(A_shared_regs[0:16], B_shared_regs[j * 8:j * 8 + 8], C_local[j * 4:j * 4 + 4], k=32)
@T.prim_func(properties=["tile"])
def bytes_operands():
    A_shared = T.alloc_shared((16, 64), "int8")
    B_shared = T.alloc_shared((24, 64), "int8")
    C_local = T.alloc_fragment((16, 24), "int32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.gemm(A_shared[0:16, 0:64], B_shared[0:24, 0:64], C_local[0:16, 0:24], transpose_B=True)

# ldmatrix transposes 16-bit elements only: a word of a lane is loaded by itself from tiles with k as rows.
# CHECK-LABEL: def words(
# CHECK: lane_row: T.int32 = tx % 4
# CHECK-NEXT: lane_col: T.int32 = tx // 32 * 16 + tx // 4 % 8
# CHECK: for chunk in T.unroll(0, 2):
# CHECK-NEXT: for side in T.unroll(0, 2):
# CHECK-NEXT: A_shared_regs[chunk * 2 + side] = A_shared[lane_row + k_step * 8 + chunk * 4, lane_col + side * 8]
# CHECK: for chunk in T.unroll(0, 2):
# CHECK-NEXT: B_shared_regs[j * 2 + chunk] = B_shared[lane_row + k_step * 8 + chunk * 4, lane_col_1 + j * 8]
@T.prim_func(properties=["tile"])
def words():
    A_shared = T.alloc_shared((16, 32), "float32")
    B_shared = T.alloc_shared((16, 16), "float32")
    C_local = T.alloc_fragment((32, 16), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.gemm(A_shared[0:16, 0:32], B_shared[0:16, 0:16], C_local[0:32, 0:16], transpose_A=True, policy="full_row")

# Operands in registers are where mma wants them; all steps of a tile lie together.
# CHECK-LABEL: def in_registers(
# CHECK: A = T.alloc_local((16,), "float16", layout="fragment(4@r4 4@t1 2@r1 | 2@t32 2@r2 8@t4)")
# CHECK: B = T.alloc_local((16,), "float16", layout="fragment(4@r2 4@t1 2@r1 | 2@r8 8@t4 ; 2@t32)")
# CHECK: for k_step in T.unroll(0, 2):
# CHECK-NEXT: for j in T.unroll(0, 2):
# CHECK-NEXT: T.mma(A[k_step * 8:k_step * 8 + 8], B[(j * 2 + k_step) * 4:(j * 2 + k_step) * 4 + 4], C[j * 4:j * 4 + 4])
@T.prim_func(properties=["tile"])
def in_registers():
    A = T.alloc_fragment((32, 32), "float16")
    B = T.alloc_fragment((32, 16), "float16")
    C = T.alloc_fragment((32, 16), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.gemm(A[0:32, 0:32], B[0:32, 0:16], C[0:32, 0:16], transpose_A=True, policy="full_row")

# Rows of A begin at multiples of 2 bytes, and ldmatrix wants 16: they are loaded one element at a time. B may be
# transposed or not, and is loaded as ever.
# CHECK-LABEL: def rows_apart(
# CHECK: lane_row: T.int32 = tx // 32 % 2 * 32 + tx // 4 % 8
# CHECK-NEXT: lane_col: T.int32 = tx % 4 * 2
# CHECK: a_col: T.int32 = 3 + lane_col
# CHECK: for i in T.unroll(0, 2):
# CHECK-NEXT: for chunk in T.unroll(0, 2):
# CHECK-NEXT: for side in T.unroll(0, 2):
# CHECK-NEXT: for e in T.unroll(0, 2):
# CHECK-NEXT: A_shared_regs[i * 8 + ((chunk * 2 + side) * 2 + e)] = A_shared[lane_row + i * 16 + side * 8, a_col + k_step * 16 + (chunk * 8 + e)]
# CHECK: T.ldmatrix(B_shared[
@T.prim_func(properties=["tile"])
def rows_apart():
    A_shared = T.alloc_shared((64, 36), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:64, 3:35], B_shared[0:32, 0:64], C_local[0:64, 0:64])

# The operands of eight steps would not fit beside 128 numbers of the accumulator: they are loaded as the compiler
# of the text sees fit. Inside of a step every index of a register is a constant.
# CHECK-LABEL: def many_registers(
# CHECK: for k_step in T.serial(0, 8):
# CHECK-NEXT: for i in T.unroll(0, 4):
# CHECK: T.mma(A_shared_regs[
@T.prim_func(properties=["tile"])
def many_registers():
    A_shared = T.alloc_shared((64, 64), "float32")
    B_shared = T.alloc_shared((64, 64), "float32")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.gemm(A_shared[0:64, 0:64], B_shared[0:64, 0:64], C_local[0:64, 0:64])

# Not even those of one step would: of the operand with more tiles, which come two to a load, each is loaded right
# before its products.
# CHECK-LABEL: def many_columns(
# CHECK: for k_step in T.serial(0, 4):
# CHECK-NEXT: for i in T.unroll(0, 2):
# CHECK-NEXT: T.ldmatrix({{.*}}, A_shared_regs[i * 8:i * 8 + 8])
# CHECK-NEXT: for j in T.unroll(0, 16):
# CHECK-NEXT: T.ldmatrix({{.*}}, B_shared_regs[j * 8:j * 8 + 8])
# CHECK-NEXT: for side in T.unroll(0, 2):
# CHECK-NEXT: for i in T.unroll(0, 2):
# CHECK-NEXT: T.mma(A_shared_regs[i * 8:i * 8 + 8], B_shared_regs[(j * 2 + side) * 4:(j * 2 + side) * 4 + 4], C_local[(i * 32 + (j * 2 + side)) * 4:(i * 32 + (j * 2 + side)) * 4 + 4])
@T.prim_func(properties=["tile"])
def many_columns():
    A_shared = T.alloc_shared((32, 64), "float16")
    B_shared = T.alloc_shared((256, 64), "float16")
    C_local = T.alloc_fragment((32, 256), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.gemm(A_shared[0:32, 0:64], B_shared[0:256, 0:64], C_local[0:32, 0:256], transpose_B=True)

# CHECK-LABEL: def many_rows(
# CHECK: for k_step in T.serial(0, 4):
# CHECK-NEXT: for j in T.unroll(0, 2):
# CHECK-NEXT: T.ldmatrix({{.*}}, B_shared_regs[j * 8:j * 8 + 8])
# CHECK-NEXT: for i in T.unroll(0, 16):
# CHECK-NEXT: T.ldmatrix({{.*}}, A_shared_regs[i * 8:i * 8 + 8])
# CHECK-NEXT: for j in T.unroll(0, 4):
# CHECK-NEXT: T.mma(A_shared_regs[i * 8:i * 8 + 8], B_shared_regs[j * 4:j * 4 + 4], C_local[(i * 4 + j) * 4:(i * 4 + j) * 4 + 4])
@T.prim_func(properties=["tile"])
def many_rows():
    A_shared = T.alloc_shared((256, 64), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((256, 32), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.gemm(A_shared[0:256, 0:64], B_shared[0:32, 0:64], C_local[0:256, 0:32], transpose_B=True)

# What is in registers already is not loaded, however large the result is.
# CHECK-LABEL: def all_in_registers(
# CHECK-NOT: ldmatrix
# CHECK: for i in T.unroll(0, 4):
# CHECK-NEXT: for j in T.unroll(0, 32):
# CHECK-NEXT: T.mma(A_local[i * 8:i * 8 + 8], B_local[j * 4:j * 4 + 4], C_local[(i * 32 + j) * 4:(i * 32 + j) * 4 + 4])
@T.prim_func(properties=["tile"])
def all_in_registers():
    A_local = T.alloc_fragment((64, 16), "float16")
    B_local = T.alloc_fragment((256, 16), "float16")
    C_local = T.alloc_fragment((64, 256), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.gemm(A_local[0:64, 0:16], B_local[0:256, 0:16], C_local[0:64, 0:256], transpose_B=True)
