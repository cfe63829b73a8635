"""Miscompiles that check_plants.py plants: what is wrong, in which kernel, after which pass, by what edit of its IR.

`says` is what the report must hold: "value", an output that differs, or the kind of a finding. It must show the
statement too. Faults of the text that is emitted at the end, swizzles among them, are in check_witness.py.
"""

import dataclasses
import typing

from text_edits import both, drop, guard, insert_before, move, repeat, replace, unguard


@dataclasses.dataclass
class Kernel:
    file: str
    compiled: str = ""  # arguments of the compile
    run: str = ""  # and of the run alone


@dataclasses.dataclass
class Plant:
    name: str
    kernel: Kernel
    place: str  # the pass
    edit: typing.Callable
    says: str = "value"


SMALL = "--set block_M=32 --set block_N=32 --set block_K=16"
GEMM = Kernel("gemm_relu.py:matmul", f"--set M=64 --set N=64 --set K=80 {SMALL}")
RAGGED = Kernel("gemm_relu.py:matmul", f"--set M=50 --set N=40 --set K=72 {SMALL}")
PEELED = Kernel("gemm_relu.py:matmul", f"{GEMM.compiled} --pass-option inject-pipeline.peel-epilogue=true")
TRANSPOSED = Kernel("gemm_transposed.py:matmul", f"--set M=64 --set N=64 --set K=64 {SMALL} "
                    "--set trans_A=true --set trans_B=false")
STAGED = Kernel("gemm_relu_lazy.py:matmul", f"--set M=64 --set N=64 --set K=64 {SMALL} --set stage_output=true")
SPLIT_K = Kernel("gemm_splitk.py:matmul", f"--set M=64 --set N=64 --set K=128 {SMALL}")
BATCHED = Kernel("gemm_batched.py:matmul", f"--set batch=2 --set M=64 --set N=32 --set K=32 {SMALL}")
INT8 = Kernel("gemm_operands.py:matmul", "--set M=64 --set N=48 --set K=64 --set dtype=int8 --set accum_dtype=int32 "
              "--set trans_A=true --set trans_B=false")
DYNAMIC = Kernel("gemm_dynamic.py:matmul_dynamic_all", SMALL, "--dim m=50 --dim n=72 --dim k=40")
SIBLINGS = Kernel("sibling_pipelines.py:matmul_halves", "--set M=64 --set N=64 --set K=128")
ATTENTION = Kernel("attention_fwd.py:attention", "--set batch=1 --set heads=2 --set length=80 --set dim=32 "
                   "--set block_M=32 --set block_N=32 --set threads=64 --set causal=true")
ADD = Kernel("elementwise_add.py:add", "--set M=40 --set N=50")
NORM = Kernel("reductions.py:rms_norm", "--set M=4 --set N=256 --set threads=64")
EXTREMES = Kernel("reductions.py:extremes", "--set M=16 --set N=32 --set threads=64")
COLUMN_SUMS = Kernel("reductions.py:column_sums", "--set M=32 --set N=32 --set threads=64 --set block_M=16")
PREFIX_SUM = Kernel("reductions.py:prefix_sum", "--set N=100 --set threads=64")
GATHER = Kernel("../../tests/exec/inputs/gather.py:gather")
HELD = Kernel("../../tests/exec/inputs/held.py:moved")


def ordered(name):
    return Kernel(f"../../tests/exec/inputs/orders.py:{name}")


# Those that fuzz_edits.py edits.
KERNELS = [
    GEMM, RAGGED, PEELED, TRANSPOSED, STAGED, SPLIT_K, BATCHED, INT8, DYNAMIC, SIBLINGS, ATTENTION, ADD, NORM, EXTREMES,
    COLUMN_SUMS, PREFIX_SUM, GATHER,
    Kernel("gemm_operands.py:matmul_registers", "--set trans_A=true --set trans_B=false --set dtype=float32"),
    Kernel("gemm_explicit_schedule.py:matmul", f"--set M=64 --set N=64 --set K=96 {SMALL} "
           "--set order=[2,0,1] --set stage=[0,0,1]"),
    Kernel("attention_fwd_grouped.py:attention", "--set batch=1 --set heads=2 --set kv_heads=1 --set queries=40 "
           "--set keys=70 --set dim=32 --set block_M=32 --set block_N=32 --set threads=64 --set causal=true"),
    Kernel("attention_bwd.py:gradients", "--set heads=1 --set length=64 --set dim=32 --set block_N=32 "
           "--set causal=true"),
    Kernel("chunk_inverse.py:chunk_inverse", "--set batch=1 --set heads=1 --set length=64 --set dim=32"),
    Kernel("sized_at_launch.py:standardise", "", "--dim m=3 --dim n=200"),
    Kernel("elementwise_add.py:add_staged", "--set M=64 --set N=64"),
    Kernel("reductions.py:softmax", "--set M=4 --set N=100 --set block_N=128 --set threads=64"),
]

PLANTS = [
    # ---- on whole tiles ----
    Plant("tile of half its height", GEMM, "legalize-indices",
          replace("A[by * 32:by * 32 + 32", "A[by * 16:by * 16 + 32")),
    Plant("first row taken for a negative index", GATHER, "legalize-indices", replace("< 0 else", "<= 0 else")),
    Plant("bound of a loop folded one short", ATTENTION, "simplify", replace("first_row + 63", "first_row + 31")),
    Plant("maximum of what nobody wrote", EXTREMES, "simplify",
          replace('top[0:16], kind="max", dim=1', 'top[0:16], kind="max", dim=1, clear=False'), "uninitialised-read"),
    Plant("constant folded wrong", ATTENTION, "simplify", replace("0.25503486164919736", "0.125")),
    Plant("comparison without its equals", ATTENTION, "simplify", replace("column <= first_row", "column < first_row")),
    Plant("arms of a choice exchanged", ATTENTION, "simplify",
          replace('0.0 if visible else -T.infinity("float32")', '-T.infinity("float32") if visible else 0.0')),
    Plant("consumer before its producer", GEMM, "plan-pipeline", move("T.gemm(", before="T.copy(B[")),
    Plant("loop starts at its second iteration", GEMM, "plan-pipeline",
          replace("T.Pipelined(0, 5", "T.Pipelined(1, 4")),
    Plant("clear of an accumulator lost", GEMM, "plan-pipeline", drop("T.fill(C_local")),
    Plant("slot that is read off by one", GEMM, "inject-pipeline", replace("A_shared[k % 3", "A_shared[(k + 2) % 3")),
    Plant("slot that is written off by one", GEMM, "inject-pipeline",
          replace("B_shared[(k + 2) % 3", "B_shared[(k + 1) % 3")),
    Plant("one version too few", GEMM, "inject-pipeline",
          both(*[replace(f"_shared[{k} % 3", f"_shared[{k} % 2") for k in ("(k + 2)", "k") for _ in "AB"])),
    Plant("wait for one group too few", GEMM, "inject-pipeline", replace("pending=1", "pending=2")),
    Plant("wait dropped", GEMM, "inject-pipeline", drop("T.wait_group")),
    Plant("commit group merged with the next", GEMM, "inject-pipeline", drop("T.commit_group")),
    Plant("commit of the loop dropped", GEMM, "inject-pipeline", drop("T.commit_group", nth=2)),
    Plant("prologue one iteration short", GEMM, "inject-pipeline",
          both(drop("T.copy(A[", nth=1), drop("T.copy(B[", nth=1))),
    Plant("prologue twice the first iteration", GEMM, "inject-pipeline", replace("16:32], A_", "0:16], A_")),
    Plant("copies of the loop end one early", GEMM, "inject-pipeline", replace("k + 2 < 5", "k + 2 < 4")),
    Plant("loop ends one early", GEMM, "inject-pipeline", replace("T.serial(0, 5", "T.serial(0, 4")),
    Plant("epilogue short", PEELED, "inject-pipeline", drop("T.gemm(", nth=2)),
    Plant("epilogue in the wrong slot", PEELED, "inject-pipeline",
          replace("A_shared[1, 0:32, 0:16], B", "A_shared[2, 0:32, 0:16], B")),
    Plant("second pipeline starts where the first did", SIBLINGS, "inject-pipeline",
          replace("A[by * 64:by * 64 + 64, 64:96]", "A[by * 64:by * 64 + 64, 0:32]")),
    Plant("copy before the last reader of its slot", ATTENTION, "inject-pipeline",
          move("if kb + 1 < blocks", before="T.gemm(Q_shared")),
    Plant("operand of a gemm not transposed", ATTENTION, "infer-layouts", replace(", transpose_B=True", "")),
    Plant("accumulated into the wrong fragment", ATTENTION, "infer-layouts",
          replace("total[i] * rescale[i] + row_sum[i]", "row_sum[i] * rescale[i] + total[i]")),
    Plant("iterations on other threads than their elements", GEMM, "infer-layouts",
          replace('32, layout="fragment(2@t32 2@r2 8@t4 | 2@t64', '32, layout="fragment(2@t64 2@r2 8@t4 | 2@t32'),
          "other-thread"),
    Plant("fragment that another warp holds", ATTENTION, "infer-layouts",
          replace('rescale = T.alloc_fragment((32,), "float32", layout="fragment(2@t32',
                  'rescale = T.alloc_fragment((32,), "float32", layout="fragment(2@t16'), "other-thread"),
    Plant("result on other warps than the instruction's", GEMM, "infer-layouts",
          both(*[replace('layout="fragment(2@t32 2@r2 8@t4 | 2@t64', 'layout="fragment(2@t64 2@r2 8@t4 | 2@t32')] * 2),
          "other-thread"),
    Plant("copy between fragments on other threads", HELD, "infer-layouts",
          replace('b = T.alloc_fragment((64, 64), "float32", layout="fragment(8@r4 8@t16',
                  'b = T.alloc_fragment((64, 64), "float32", layout="fragment(8@t16 8@r4'), "other-thread"),
    Plant("sum on other threads than its row", HELD, "infer-layouts",
          replace('layout="fragment(8@r1 8@t16 ;', 'layout="fragment(8@t16 8@r1 ;'), "other-thread"),
    Plant("one copy written of a fragment that all threads hold", ordered("reversed_fragment"), "infer-layouts",
          replace('T.Parallel(256, layout="fragment(256@r1 ; 128@t1)")', 'T.Parallel(256, layout="fragment(2@r1 128@t1)")'),
          "other-thread"),
    Plant("scaled twice", ATTENTION, "infer-layouts", repeat("output[i, j] = output[i, j] * rescale[i]")),

    # ---- lowering ----
    Plant("base of the warp's tile", GEMM, "lower-tile-ops",
          replace("ldmatrix_row: T.int32 = tx // 32 % 2 * 16", "ldmatrix_row: T.int32 = tx // 64 % 2 * 16")),
    Plant("fragment transposed", GEMM, "lower-tile-ops",
          replace("row: T.int32 = lane_row_2 + row_step * 8", "row: T.int32 = lane_row_2 + col_step * 8")),
    Plant("registers in another order than the layout", GEMM, "lower-tile-ops",
          replace("T.float16(C_local[row_step * 2 + (col_step * 4", "T.float16(C_local[row_step * 4 + (col_step * 2")),
    Plant("ldmatrix without its transposition", GEMM, "lower-tile-ops", replace(", trans=True", "")),
    Plant("transposition where there is none", TRANSPOSED, "lower-tile-ops",
          replace("A_shared_regs[0:8], trans=True", "A_shared_regs[0:8]")),
    Plant("wrong half of an operand's registers", GEMM, "lower-tile-ops",
          replace("B_shared_regs[j * 4:j * 4 + 4]", "B_shared_regs[4 - j * 4:4 - j * 4 + 4]")),
    Plant("accumulator of the wrong part", GEMM, "lower-tile-ops", replace("C_local[j * 4:j * 4 + 4]", "C_local[0:4]")),
    Plant("accumulator cleared but for its last registers", GEMM, "lower-tile-ops",
          replace("T.unroll(0, 8)", "T.unroll(0, 7)"), "uninitialised-read"),
    Plant("copy that leaves out the last rows", ATTENTION, "lower-tile-ops",
          replace("T.unroll(0, 2)", "T.unroll(0, 1)"), "uninitialised-read"),
    Plant("alias of the wrong buffer", ATTENTION, "lower-tile-ops",
          replace("T.ldmatrix(V_shared[", "T.ldmatrix(K_shared[")),
    Plant("threads without work that copy all the same", GEMM, "lower-tile-ops",
          unguard("if tx < 64"), "write-in-flight"),
    Plant("step of a reduction dropped", ATTENTION, "lower-tile-ops",
          drop('T.shuffle(row_max_other[0], row_max[r], 2, kind="xor")')),
    Plant("wrong mask of a shuffle", ATTENTION, "lower-tile-ops",
          replace("row_sum[r], 2, kind", "row_sum[r], 4, kind")),
    Plant("reduction without its last lane", NORM, "lower-tile-ops", replace(", 16, kind", ", 8, kind")),
    Plant("reduction of one warp alone", NORM, "lower-tile-ops",
          replace("mean_workspace[0, 0] + mean_workspace[1, 0]", "mean_workspace[0, 0]")),
    Plant("minimum that starts as a maximum does", EXTREMES, "lower-tile-ops",
          replace('bottom_shared_result[r] = T.infinity("float16")',
                  'bottom_shared_result[r] = -T.infinity("float16")')),
    Plant("broadcast from the wrong lane", NORM, "lower-tile-ops",
          replace("if tx % 32 == 0", "if tx % 32 == 1 and tx < 32"), "uninitialised-read"),
    Plant("value before a reduction lost", COLUMN_SUMS, "lower-tile-ops",
          replace("= sums_local[r] + sums_local_before[r]", "= sums_local[r]")),
    Plant("scan of lanes one too far", PREFIX_SUM, "lower-tile-ops",
          replace("if 3 < tx % 32", "if 4 < tx % 32")),
    Plant("shuffle of a scan by too few lanes", PREFIX_SUM, "lower-tile-ops", replace(", 8, kind", ", 4, kind")),
    Plant("atomic turned into a plain add", SPLIT_K, "lower-tile-ops",
          replace("T.atomic_element(C[by * 32 + i, bx * 32 + j], ",
                  "C[by * 32 + i, bx * 32 + j] = C[by * 32 + i, bx * 32 + j] + ("), "race"),
    Plant("split along the wrong axis", SPLIT_K, "lower-tile-ops",
          replace("A[by * 32 + lane_row, bz * 32 + lane_col:bz * 32",
                  "A[by * 32 + lane_row, bz * 16 + lane_col:bz * 16")),
    Plant("bytes of a packed operand reversed", INT8, "lower-tile-ops",
          replace("A_shared[k % 2, lane_row_1 + (chunk * 16 + e)",
                  "A_shared[k % 2, lane_row_1 + (chunk * 16 + 3 - e)")),
    Plant("store moved over a load", COLUMN_SUMS, "lower-tile-ops",
          move("for r in T.unroll(0, 4)", before="for r in T.unroll(0, 4)", nth=2, before_nth=1)),

    # ---- guards and wide accesses ----
    Plant("predicate dropped", RAGGED, "guard-memory-access",
          replace(", predicate=by * 32 + lane_row < 50", ""), "out-of-bounds"),
    Plant("predicate of the wrong axis", RAGGED, "guard-memory-access",
          replace("predicate=by * 32 + lane_row < 50", "predicate=by * 32 + lane_row < 40")),
    Plant("guard of a store dropped", RAGGED, "guard-memory-access", unguard("if by * 32 + row < 50"), "out-of-bounds"),
    Plant("guard that is off by one", DYNAMIC, "guard-memory-access",
          replace("ko * 16 + lane_col < k", "ko * 16 + lane_col < k - 1")),
    Plant("guard read after the store that it guards", GATHER, "guard-memory-access",
          move("flags[bx * 64 + i] = 0", before="if flags[bx * 64 + i] > 0")),
    Plant("vector over the edge", ADD, "vectorize",
          replace(", predicate=y < 40 and x < 50", ", predicate=y < 40"), "out-of-bounds"),
    Plant("vector at the place of another thread", GEMM, "vectorize",
          replace("bias[bx * 32 + j:bx * 32 + j + 2]", "bias[bx * 32:bx * 32 + 2]")),
    Plant("elements of a vector exchanged", ADD, "vectorize",
          replace("A_vec[j_step] + B_vec", "A_vec[1 - j_step] + B_vec")),
    Plant("vector read before it is filled", ADD, "vectorize",
          move("for j_step in", before="T.vector_copy(B["), "uninitialised-read"),
    Plant("rounding left out", STAGED, "vectorize",
          replace("T.float16(C_local[row_step * 2 + (col_step * 4 + col_step_1)])",
                  "T.float16(T.bfloat16(C_local[row_step * 2 + (col_step * 4 + col_step_1)]))")),

    Plant("load of what the body has stored comes before it", ordered("store_then_load"), "vectorize",
          replace("= s[i_1] + 1.0", "= s_vec[i_step_1] + 1.0")),
    Plant("guard that reads what was there before", ordered("guard_reads_store"), "vectorize",
          replace("if s[i_1] > 0.0", "if s_vec[i_step_1] > 0.0")),
    Plant("wide store of registers that have changed", ordered("registers_change_behind_store"), "vectorize",
          replace("T.vector_copy(B_vec[0:4]", "T.vector_copy(f[i_step * 4:i_step * 4 + 4]")),
    Plant("wide load over registers that are still read", ordered("registers_change_behind_use"), "vectorize",
          both(replace("C_vec[0:4])", "f[i_step * 4:i_step * 4 + 4])"), drop("= C_vec["))),

    # ---- device ----
    Plant("dimensions of the grid exchanged", SPLIT_K, "split-host-device",
          replace("as (bx, by, bz, tx)", "as (bz, by, bx, tx)"), "out-of-bounds"),
    Plant("grid one block short", BATCHED, "split-host-device",
          replace("T.Kernel(1, 2, 2", "T.Kernel(1, 1, 2")),
    Plant("barrier missing", STAGED, "insert-barriers", drop("T.barrier()"), "race"),
    Plant("barrier one statement late", STAGED, "insert-barriers",
          move("T.barrier()", before="ldmatrix_row_1: T.int32"), "race"),
    Plant("barrier of a warp in place of one of the block", STAGED, "insert-barriers",
          replace("T.barrier()", 'T.barrier(scope="warp")'), "race"),
    Plant("barrier of a part of the block", STAGED, "insert-barriers",
          guard("tx < 40", "T.barrier()"), "divergent-barrier"),
    Plant("barrier of some of the warps", STAGED, "insert-barriers", guard("tx < 64", "T.barrier()"), "missed-barrier"),
    Plant("lifetimes that overlap at one place", STAGED, "merge-shared-memory", replace("offset=3072", "offset=1024")),
    Plant("tile that is placed too short", STAGED, "merge-shared-memory", replace("offset=3072", "offset=3008")),
    Plant("barrier of reused bytes missing", STAGED, "insert-barriers#2", drop("T.barrier()", nth=1), "race"),
    Plant("operation executed twice", SPLIT_K, "insert-barriers#2", repeat("T.mma(")),
    Plant("value that is named too early", GATHER, "bind-loaded-indices",
          move("table_value: T.int32", before="if bx * 64 + i < 80"), "out-of-bounds"),
    Plant("name of another value", GATHER, "bind-loaded-indices",
          replace("A[table_index, j]", "A[table_value + 1, j]")),
    Plant("remainder dropped", STAGED, "simplify#2", replace("tx % 4 * 8", "tx * 8"), "out-of-bounds"),
    Plant("index narrowed", STAGED, "simplify#2",
          replace("lane_row_3: T.int32 = tx // 4", "lane_row_3: T.int32 = T.int32(T.int8(tx * 2)) // 8")),
    Plant("condition decided that is not", STAGED, "simplify#2", unguard("if k + 2 < 4"), "out-of-bounds"),
    Plant("product in place of a sum", STAGED, "simplify#2",
          replace("(k + 2) * 16 + lane_col:(k + 2) * 16 + lane_col + 8",
                  "k * 2 * 16 + lane_col:k * 2 * 16 + lane_col + 8")),
]
