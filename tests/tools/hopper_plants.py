"""Faults of roles, mbarriers, TMA and wgmma that check_hopper_plants.py plants: of each its kernel, the pass behind which the IR
is edited, and who finds it.

`says` is what `tilescope exec` must report, as in plants.py; "": nothing, since no order of threads and copies that it knows
makes a difference. `check` is what `tilescope check` answers to whether the kernel is free of hazards: "no" with the line,
"not-established", "yes", or "error", where the compile ends at the edit.
"""

import dataclasses

import plants
from text_edits import both, drop, guard, insert_before, move, replace, unguard


@dataclasses.dataclass
class HopperPlant(plants.Plant):
    check: str = "yes"
    error: str = ""
    harmless: bool = False
    elsewhere: bool = False  # `exec` shows the statement that waits for ever, or reads what is not there, not the one that is edited

    def error_has(self, text):
        return bool(self.error) and self.error in text


def kernel(file, settings="", options="", run=""):
    words = ["--target sm_90a", *[f"--set {one}" for one in settings.split()], *[f"--pass-option {one}" for one in options.split()]]
    return plants.Kernel(file, " ".join(words), run)


# One block of five trips through three slots: a warp copies by TMA, a warp group multiplies.
GEMM = kernel("gemm_relu.py:matmul", "M=64 N=64 K=160 block_M=64 block_N=64 block_K=32")
# All threads of a block, of which one starts the copies.
TOGETHER = kernel("gemm_relu.py:matmul", "M=64 N=64 K=160 block_M=64 block_N=64 block_K=32",
                  "inject-pipeline.roles=false inject-pipeline.tma=true")
# Tile after tile of a block, with stores by TMA; two warp groups that store together, or alone.
TILES = kernel("../../tests/passes/inject_pipeline_blocks.py:matmul", "M=128 N=128 K=128", "inject-pipeline.blocks=1")
GROUPS = kernel("../../tests/passes/inject_pipeline_blocks.py:matmul", "M=128 N=128 K=128",
                "inject-pipeline.blocks=1 split-roles.warp-groups=true")
# Attention whose products overlap, and whose queries are copied ahead.
OVERLAP = kernel("../../tests/passes/attention_overlap.py:attention", "blocks=1 trips=4",
                 "plan-pipeline.overlap-products=true")
ALONE = "inject-pipeline.tile-slots=2 plan-pipeline.overlap-products=true split-roles.warp-groups=true"
AHEAD = kernel("../../tests/passes/inject_pipeline_tiles.py:attention", "heads=2 rows=3 trips=1",
               f"inject-pipeline.blocks=2 {ALONE}")
# Tiles of three and four trips, taken from both ends of a row.
UNEVEN = kernel("../../tests/passes/inject_pipeline_tiles.py:attention", "rows=2 heads=4 causal=3", "inject-pipeline.blocks=4")
# Copies of threads for wgmma, two stores of one tile each.
STORES = kernel("../../tests/passes/stores_by_tma.py:matmul", "tiles=2",
                "inject-pipeline.roles=false infer-layouts.tma-stores=true")
# Roles and mbarriers as the user wrote them.
WRITTEN = kernel("../../tests/exec/slots_of_one_tile.py:by_tma")
WRITTEN_COPIES = kernel("../../tests/exec/slots_of_one_tile.py:by_threads")
MASKS = kernel("attention_fwd.py:attention", "batch=1 heads=1 length=192 dim=64 causal=true block_M=64 block_N=64 num_stages=2",
               "split-masks.branch=true")
# Two blocks of a cluster, of which one copies for both.
CLUSTER_SIZES = "M=128 N=64 block_M=64 block_N=64 groups=1 stages=2"
CLUSTER = kernel("gemm_multicast.py:matmul", f"{CLUSTER_SIZES} K=192")

LAST = "simplify#2"
EMPTY = "T.mbarrier_arrive(A_shared_empty"
FULL_WAIT = "T.mbarrier_wait(A_shared_full["
EMPTY_WAIT = "T.mbarrier_wait(A_shared_empty["
EXPECT = "T.mbarrier_arrive_expect(A_shared_full[(k + 2) % 3, 0], bytes=8192)"

GEMM_PLANTS = [
    HopperPlant("wait for the copies dropped", GEMM, LAST, drop(FULL_WAIT), "uninitialised-read", "no"),
    HopperPlant("wait for the copies behind the products", GEMM, LAST, move(FULL_WAIT, before="T.wgmma_commit"),
                "read-in-flight", "no"),
    HopperPlant("wait of a part of the warp group", GEMM, LAST, guard("tx < 64", FULL_WAIT), "read-in-flight",
                "not-established"),
    HopperPlant("wait for the readers dropped", GEMM, LAST, drop(EMPTY_WAIT), "write-in-flight", "no"),
    HopperPlant("wait for the readers behind a copy", GEMM, LAST, move(EMPTY_WAIT, before="T.tma_load(B[(k"),
                "write-in-flight", "no"),
    HopperPlant("arrival of the readers dropped", GEMM, LAST, drop(EMPTY), "endless-wait", "no"),
    HopperPlant("arrival before the products are waited for", GEMM, LAST, move(EMPTY, before="T.wgmma_wait"), "race", "no"),
    HopperPlant("arrival before the products", GEMM, LAST, move(EMPTY, before="T.wgmma_fence("), "race", "no"),
    HopperPlant("arrival of one warp", GEMM, LAST, guard("tx < 32", EMPTY), "endless-wait", "not-established"),
    HopperPlant("arrival twice", GEMM, LAST, insert_before(EMPTY, f"{EMPTY}[k % 3, 0])"), "endless-wait", "no"),
    HopperPlant("an arrival too many waited for", GEMM, LAST,
                replace("A_shared_empty[0, 0], arrivals=128", "A_shared_empty[0, 0], arrivals=129"), "endless-wait", "no",
                elsewhere=True),
    HopperPlant("an arrival too few waited for", GEMM, LAST,
                replace("A_shared_empty[0, 0], arrivals=128", "A_shared_empty[0, 0], arrivals=127"), "", "not-established"),
    HopperPlant("two arrivals of the thread that copies", GEMM, LAST,
                replace("T.mbarrier_init(A_shared_full[1, 0])", "T.mbarrier_init(A_shared_full[1, 0], arrivals=2)"),
                "endless-wait", "no"),
    HopperPlant("mbarrier that is not begun", GEMM, LAST, drop("T.mbarrier_init(A_shared_full[2"), "uninitialised-read",
                "not-established", elsewhere=True),
    HopperPlant("barrier behind the first phases dropped", GEMM, LAST, drop("T.barrier()"), "race", "not-established"),
    HopperPlant("bytes more than are copied", GEMM, LAST, replace(EXPECT, EXPECT.replace("8192", "8208")), "endless-wait",
                "no"),
    HopperPlant("bytes less than are copied", GEMM, LAST, replace(EXPECT, EXPECT.replace("8192", "8176")), "endless-wait",
                "no"),
    HopperPlant("bytes of the prologue not expected", GEMM, LAST, drop("T.mbarrier_arrive_expect(A_shared_full[0, 0]"),
                "endless-wait", "no"),
    HopperPlant("arrival without bytes", GEMM, LAST, replace(EXPECT, "T.mbarrier_arrive(A_shared_full[(k + 2) % 3, 0])"),
                "endless-wait", "not-established"),
    HopperPlant("copy that is not made", GEMM, LAST, drop("T.tma_load(B[(k"), "endless-wait", "no"),
    HopperPlant("copy made twice", GEMM, LAST,
                insert_before("T.tma_load(B[32:64",
                              "T.tma_load(B[32:64, bx * 64:bx * 64 + 64], B_shared[1, 0:32, 0:64], A_shared_full[1, 0])"),
                "write-in-flight", "no"),
    HopperPlant("parity of the copies flipped", GEMM, LAST,
                replace("A_shared_full[k % 3, 0], k // 3)", "A_shared_full[k % 3, 0], k // 3 + 1)"), "uninitialised-read",
                "not-established"),
    HopperPlant("parity of the copies that never flips", GEMM, LAST,
                replace("A_shared_full[k % 3, 0], k // 3)", "A_shared_full[k % 3, 0], 0)"), "endless-wait", "no"),
    HopperPlant("parity of the readers flipped", GEMM, LAST, replace("(k + 5) // 3 % 2)", "(k + 2) // 3 % 2)"),
                "endless-wait", "no"),
    HopperPlant("parity of the readers that never flips", GEMM, LAST, replace("(k + 5) // 3 % 2)", "1)"), "write-in-flight",
                "no"),
    HopperPlant("slot that is read off by one", GEMM, LAST,
                replace("T.wgmma(A_shared[k % 3", "T.wgmma(A_shared[(k + 1) % 3"), "read-in-flight", "no"),
    HopperPlant("slot that is written off by one", GEMM, LAST,
                replace("A_shared[(k + 2) % 3, 0:64", "A_shared[(k + 1) % 3, 0:64"), "write-in-flight", "no"),
    HopperPlant("mbarrier of another slot waited for", GEMM, LAST,
                replace("A_shared_full[k % 3, 0], k", "A_shared_full[(k + 1) % 3, 0], k"), "read-in-flight", "no"),
    HopperPlant("mbarrier of another slot told", GEMM, LAST,
                replace("T.mbarrier_arrive(A_shared_empty[k % 3", "T.mbarrier_arrive(A_shared_empty[(k + 1) % 3"), "",
                "not-established"),
    HopperPlant("copy that another slot's mbarrier counts", GEMM, LAST,
                replace("B_shared[(k + 2) % 3, 0:32, 0:64], A_shared_full[(k + 2) % 3",
                        "B_shared[(k + 2) % 3, 0:32, 0:64], A_shared_full[(k + 1) % 3"),
                "read-in-flight", "no"),
    HopperPlant("box one step behind", GEMM, LAST,
                replace("(k + 2) * 32:(k + 2) * 32 + 32], A_", "(k + 1) * 32:(k + 1) * 32 + 32], A_")),
    HopperPlant("box beside the tensor", GEMM, LAST,
                replace("A[by * 64:by * 64 + 64, 0:32]", "A[by * 64:by * 64 + 64, 136:168]")),
    HopperPlant("guard of the copies one short", GEMM, LAST, replace("k + 2 < 5", "k + 2 < 4"), "endless-wait", "no"),
    HopperPlant("guard of the copies dropped", GEMM, LAST, unguard("if k + 2 < 5"), "end-in-flight", "yes"),
    HopperPlant("products not committed", GEMM, LAST, drop("T.wgmma_commit"), "product-in-flight", "no"),
    HopperPlant("products not waited for", GEMM, LAST, drop("T.wgmma_wait"), "product-in-flight", "no"),
    HopperPlant("products of the last step not waited for", GEMM, LAST, replace("T.wgmma_wait()", "T.wgmma_wait(pending=1)"),
                "race", "no"),
    HopperPlant("fence of the sums before the products dropped", GEMM, LAST, drop("T.wgmma_fence("), "register-not-fenced",
                "yes"),
    HopperPlant("fence of the sums behind the products dropped", GEMM, LAST, drop("T.wgmma_fence(", nth=1),
                "register-not-fenced", "yes"),
    HopperPlant("fence of the first phases dropped", GEMM, LAST, drop("T.proxy_fence()"), "", "yes", harmless=True),
    HopperPlant("wait in a circle", GEMM, LAST,
                insert_before("T.mbarrier_arrive_expect(A_shared_full[0, 0]", "T.mbarrier_wait(A_shared_empty[0, 0], 0)"),
                "endless-wait", "no", elsewhere=True),
    HopperPlant("barrier of the block in a role", GEMM, LAST, insert_before(EMPTY, "T.barrier()"), "", "error",
                "waits for all threads of the block, but stands in a role"),
    HopperPlant("consumer before its copies", GEMM, "inject-pipeline", move(FULL_WAIT, before="T.mbarrier_arrive(A_"),
                "read-in-flight", "no"),
    HopperPlant("arrival at the end of the loop alone", GEMM, LAST, guard("k == 4", EMPTY), "endless-wait",
                "no"),
]

TOGETHER_PLANTS = [
    HopperPlant("barrier behind the reads dropped", TOGETHER, LAST, drop("T.barrier()", nth=1), "race", "no"),
    HopperPlant("barrier before the reads end", TOGETHER, LAST, move("T.barrier()", nth=1, before="T.wgmma_wait"), "race",
                "no"),
    HopperPlant("wait of some warps", TOGETHER, LAST, guard("tx < 64", FULL_WAIT), "read-in-flight", "not-established"),
    HopperPlant("copies started by each warp", TOGETHER, LAST,
                replace("T.mbarrier_init(A_shared_full[0, 0])", "T.mbarrier_init(A_shared_full[0, 0], arrivals=4)"),
                "endless-wait", "no"),
]

TILES_PLANTS = [
    HopperPlant("slot of the readers not carried over tiles", TILES, LAST,
                replace("A_shared_full[(wave + k) % 3", "A_shared_full[k % 3"), "read-in-flight", "no"),
    HopperPlant("parity of the readers not carried over tiles", TILES, LAST,
                replace("(wave * 4 + k) // 3 % 2", "k // 3 % 2"), "read-in-flight", "no"),
    HopperPlant("parity of the copies not carried over tiles", TILES, LAST,
                replace("(wave * 4 + k + 5) // 3 % 2", "(k + 5) // 3 % 2"), "endless-wait", "no"),
    HopperPlant("prologue of a tile does not wait", TILES, LAST, drop("T.mbarrier_wait(A_shared_empty[wave + 1"),
                "write-in-flight", "no"),
    HopperPlant("copies of another tile", TILES, LAST, replace("bx: T.int32 = tile", "bx: T.int32 = 1 - tile")),
    HopperPlant("last tile left out", TILES, LAST, both(*[replace("T.serial(0, 2)", "T.serial(0, 1)", nth=0)] * 2)),
    HopperPlant("last tile not copied", TILES, LAST, replace("T.serial(0, 2)", "T.serial(0, 1)"), "endless-wait", "no"),
    HopperPlant("fence before a store dropped", TILES, LAST, drop("T.proxy_fence()", nth=1), "not-fenced", "not-established"),
    HopperPlant("fence before a store behind the barrier", TILES, LAST,
                both(drop("T.proxy_fence()", nth=1), insert_before("T.tma_store(", "T.proxy_fence()")), "", "yes",
                harmless=True),
    HopperPlant("barrier before a store dropped", TILES, LAST, drop("T.named_barrier(", nth=1), "race", "not-established"),
    HopperPlant("store before the barrier", TILES, LAST, move("T.tma_store(", before="T.named_barrier(", before_nth=1),
                "not-fenced", "not-established"),
    HopperPlant("store not committed", TILES, LAST, drop("T.tma_store_commit"), "end-in-flight", "not-established"),
    HopperPlant("store not waited for", TILES, LAST, drop("T.tma_store_wait"), "not-fenced", "not-established"),
    HopperPlant("store waited for by a group too few", TILES, LAST,
                replace("T.tma_store_wait()", "T.tma_store_wait(pending=1)"), "not-fenced", "not-established"),
    HopperPlant("last store not waited for", TILES, LAST, drop("T.tma_store_wait", nth=1), "end-in-flight", "yes"),
    HopperPlant("barrier behind the wait for a store dropped", TILES, LAST, drop("T.named_barrier("), "race",
                "not-established"),
    HopperPlant("store waited for behind the barrier", TILES, LAST, move("T.named_barrier(", before="T.tma_store_wait"),
                "race", "not-established"),
    HopperPlant("box of a store off by eight rows", TILES, LAST, replace("C[0:128", "C[8:136")),
    HopperPlant("barrier of half of the role", TILES, LAST,
                replace("T.named_barrier(threads=256)", "T.named_barrier(threads=128)"), "divergent-barrier",
                "not-established"),
    HopperPlant("barrier of more than the role", TILES, LAST,
                replace("T.named_barrier(threads=256)", "T.named_barrier(threads=384)"), "missed-barrier", "not-established"),
    HopperPlant("registers beyond the pool", TILES, LAST, replace("registers=232", "registers=248"), "", "error",
                "one would wait for ever"),
    HopperPlant("registers that nobody gives", TILES, LAST, replace("registers=32, ", ""), "", "error",
                "one would wait for ever"),
]

GROUPS_PLANTS = [
    HopperPlant("two barriers of one number", GROUPS, LAST,
                both(*[replace("T.named_barrier(number=2, threads=128)", "T.named_barrier(threads=128)")] * 2), "race",
                "not-established"),
    HopperPlant("number of another group's barrier", GROUPS, LAST,
                replace("T.named_barrier(number=2, threads=128)", "T.named_barrier(threads=128)"), "race", "not-established"),
    HopperPlant("rows of the other group", GROUPS, LAST, replace("64:128, k_step", "0:64, k_step")),
    HopperPlant("one group alone arrives", GROUPS, LAST, drop(EMPTY, nth=1), "endless-wait", "no"),
    HopperPlant("one group waits for nothing", GROUPS, LAST, drop(FULL_WAIT, nth=1), "read-in-flight", "no"),
    HopperPlant("half of the arrivals waited for", GROUPS, LAST, both(*[replace("arrivals=256", "arrivals=128")] * 3),
                "endless-wait", "no", elsewhere=True),
]

OVERLAP_PLANTS = [
    HopperPlant("scores read before their product ends", OVERLAP, LAST,
                replace("T.wgmma_wait(pending=1)", "T.wgmma_wait(pending=2)"), "uninitialised-read", "no"),
    HopperPlant("weights written while a product reads them", OVERLAP, LAST, drop("T.wgmma_wait()", nth=1), "race", "no"),
    HopperPlant("values given back before they are read", OVERLAP, LAST,
                move("T.mbarrier_arrive(V_shared_empty[k", before="T.wgmma_wait()", before_nth=1), "race", "no"),
    HopperPlant("keys given back before they are read", OVERLAP, LAST,
                move("T.mbarrier_arrive(K_shared_empty[(k", before="T.wgmma_wait(pending=1)"), "race", "no"),
    HopperPlant("two products in one group", OVERLAP, LAST, drop("T.wgmma_commit()", nth=1), "uninitialised-read", "no"),
    HopperPlant("fence of the queries dropped", OVERLAP, LAST, drop("T.proxy_fence()", nth=1), "not-fenced",
                "not-established"),
    HopperPlant("barrier behind the queries dropped", OVERLAP, LAST, drop("T.named_barrier("), "race", "not-established"),
    HopperPlant("values waited for behind their product", OVERLAP, LAST,
                move("T.mbarrier_wait(V_shared_full[k", before="T.wgmma_wait(pending=1)"), "read-in-flight", "no"),
    HopperPlant("keys waited for in place of values", OVERLAP, LAST,
                replace("T.mbarrier_wait(V_shared_full[k % 2, 0], k // 2)",
                        "T.mbarrier_wait(K_shared_full[k % 2, 0], k // 2)"),
                "read-in-flight", "no"),
    HopperPlant("values of the step after", OVERLAP, LAST, replace("V_shared[k % 2, k_step", "V_shared[(k + 1) % 2, k_step"),
                "read-in-flight", "no"),
    HopperPlant("last values not waited for", OVERLAP, LAST, drop("T.mbarrier_wait(V_shared_full[1"), "endless-wait", "no",
                elsewhere=True),
    HopperPlant("last product not waited for", OVERLAP, LAST, drop("T.wgmma_wait()", nth=2), "product-in-flight", "yes"),
]

AHEAD_PLANTS = [
    HopperPlant("queries given back before they are read", AHEAD, LAST,
                move("T.mbarrier_arrive(Q_shared_empty", before="T.wgmma_fence(S_local"), "race", "no"),
    HopperPlant("queries of another tile", AHEAD, LAST,
                replace("T.wgmma(Q_shared[wave % 2, 0:64", "T.wgmma(Q_shared[0, 0:64"), "value", "no"),
    HopperPlant("parity of the queries that never flips", AHEAD, LAST,
                replace("T.mbarrier_wait(Q_shared_full[wave % 2, 0], wave // 2)",
                        "T.mbarrier_wait(Q_shared_full[wave % 2, 0], 0)"),
                "read-in-flight", "no"),
    HopperPlant("queries overwritten without a wait", AHEAD, LAST, drop("T.mbarrier_wait(Q_shared_empty"), "write-in-flight",
                "no"),
    HopperPlant("bytes of the queries halved", AHEAD, LAST, replace("bytes=16384", "bytes=8192"), "endless-wait", "no"),
]

STORES_PLANTS = [
    HopperPlant("fence of copied operands dropped", STORES, LAST, drop("T.proxy_fence()"), "not-fenced", "no"),
    HopperPlant("fence of the thread that stores alone", STORES, LAST, guard("tx == 0", "T.proxy_fence()", nth=2),
                "not-fenced", "no"),
    HopperPlant("staging overwritten while a store reads it", STORES, LAST, drop("T.tma_store_wait"), "not-fenced", "no"),
    HopperPlant("nobody waits for the thread that stores", STORES, LAST, move("T.tma_store_wait", before="for col_step in"),
                "", "no"),
    HopperPlant("two stores of one box", STORES, LAST, replace("bx * 128 + 64:bx * 128 + 128", "bx * 128:bx * 128 + 64")),
]

WRITTEN_PLANTS = [
    HopperPlant("more arrivals than threads, as written", WRITTEN, LAST,
                replace("T.mbarrier_init(full[0], arrivals=128)", "T.mbarrier_init(full[0], arrivals=256)"), "endless-wait",
                "no"),
    HopperPlant("parity, as written", WRITTEN, LAST,
                replace("T.mbarrier_wait(full[k % 2], k // 2 % 2)", "T.mbarrier_wait(full[k % 2], k // 2 % 2 ^ 1)"),
                "uninitialised-read", "no"),
    HopperPlant("products not waited for, as written", WRITTEN, LAST, drop("T.wgmma_wait"), "product-in-flight",
                "not-established"),
    HopperPlant("arrival dropped, as written", WRITTEN, LAST, drop("T.mbarrier_arrive(full"), "endless-wait",
                "no"),
    HopperPlant("copy that nobody expects, as written", WRITTEN, LAST, drop("T.mbarrier_expect(full", nth=1),
                "read-in-flight", "no"),
    HopperPlant("fence of what all threads wrote dropped", WRITTEN_COPIES, LAST, drop("T.proxy_fence()"), "not-fenced",
                "not-established"),
    HopperPlant("fence of the copies of threads dropped", WRITTEN_COPIES, LAST, drop("T.proxy_fence()", nth=1), "not-fenced",
                "not-established"),
    HopperPlant("copies of threads not waited for", WRITTEN_COPIES, LAST, drop("T.wait_group"), "read-in-flight",
                "not-established"),
    HopperPlant("arrival before the copies of threads", WRITTEN_COPIES, LAST,
                move("T.mbarrier_arrive(full", before="T.wait_group"), "race", "not-established"),
]

TAKEN = "before: T.int32 = wave * (block % 2 + 3)"
UNEVEN_PLANTS = [
    HopperPlant("trips of a tile counted short by the readers", UNEVEN, LAST,
                replace(TAKEN, TAKEN.replace("+ 3", "+ 2"), nth=1), "endless-wait", "no"),
    HopperPlant("trips of a tile counted short by all", UNEVEN, LAST,
                both(replace(TAKEN, TAKEN.replace("+ 3", "+ 2")), replace(TAKEN, TAKEN.replace("+ 3", "+ 2"))), "endless-wait", "no"),
    HopperPlant("trips of each tile taken for three", UNEVEN, LAST,
                both(replace(TAKEN, "before: T.int32 = wave * 3"), replace(TAKEN, "before: T.int32 = wave * 3")),
                "endless-wait", "no"),
    HopperPlant("parity of the copies without the tiles before", UNEVEN, LAST,
                replace("% 2, 0], (before + k) // 2 % 2)", "% 2, 0], k // 2 % 2)", nth=1), "read-in-flight", "no"),
    HopperPlant("slot that is read without the tiles before", UNEVEN, LAST,
                replace("K_shared[(before + k) % 2, 0:64, k_step", "K_shared[k % 2, 0:64, k_step"), "read-in-flight", "no"),
]

MASKS_PLANTS = [
    HopperPlant("mask on the wrong corner", MASKS, "split-masks",
                replace("kb * 64 + 63 > first_row", "kb * 64 > first_row + 63"), "value", "yes"),
    HopperPlant("mask where there is none", MASKS, "split-masks",
                replace("kb * 64 + 63 > first_row", "kb * 64 + 63 < first_row"), "value", "yes"),
]

TO_BOTH = ", cluster_mask=3"
AT_RANK = "rank=tx % 32"
CLUSTER_PLANTS = [
    HopperPlant("mask of blocks that the cluster has not", CLUSTER, LAST, replace(TO_BOTH, ", cluster_mask=5"), "", "error",
                "names other blocks than the 2 of the cluster"),
    HopperPlant("rows of one block copied to both", CLUSTER, LAST,
                replace("A_shared[k % 2, 0:64, 0:64], full[k % 2]", f"A_shared[k % 2, 0:64, 0:64], full[k % 2]{TO_BOTH}"),
                "value", "not-established"),
    HopperPlant("bytes for both expected by one block", CLUSTER, LAST, guard("row == 0", "T.mbarrier_expect(full", nth=1),
                "endless-wait", "not-established", elsewhere=True),
    HopperPlant("bytes of a copy to both expected twice", CLUSTER, LAST,
                replace("bytes=8192", "bytes=16384", nth=1), "endless-wait", "not-established", elsewhere=True),
    HopperPlant("barrier of the cluster behind the first phases dropped", CLUSTER, LAST, drop("T.cluster_barrier()"), "race",
                "not-established", elsewhere=True),
    HopperPlant("barrier of the block behind the first phases", CLUSTER, LAST, replace("T.cluster_barrier()", "T.barrier()"),
                "race", "not-established", elsewhere=True),
    HopperPlant("barrier of the cluster at the end dropped", CLUSTER, LAST, drop("T.cluster_barrier()", nth=1),
                "ended-block", "not-established", elsewhere=True),
    HopperPlant("arrivals at the first block alone", CLUSTER, LAST, replace(AT_RANK, "rank=0"), "endless-wait",
                "not-established", elsewhere=True),
    HopperPlant("arrivals at the own block alone", CLUSTER, LAST, replace(f", {AT_RANK}", ""), "write-in-flight", "not-established",
                elsewhere=True),
    HopperPlant("arrivals at blocks that the cluster has not", CLUSTER, LAST, replace(AT_RANK, f"{AT_RANK} + 1"), "no-block",
                "not-established"),
    HopperPlant("arrivals at other blocks before the products end", CLUSTER, LAST,
                move("if tx % 32 < 2", before="T.wgmma_wait"), "race", "not-established", elsewhere=True),
    HopperPlant("wait for the readers of both blocks dropped", CLUSTER, LAST, drop("T.mbarrier_wait(empty"), "write-in-flight",
                "not-established", elsewhere=True),
]

PLANTS = [*GEMM_PLANTS, *TOGETHER_PLANTS, *TILES_PLANTS, *GROUPS_PLANTS, *OVERLAP_PLANTS, *AHEAD_PLANTS, *STORES_PLANTS,
          *UNEVEN_PLANTS, *WRITTEN_PLANTS, *MASKS_PLANTS, *CLUSTER_PLANTS]


def sound_kernels():
    """(kernel, what `check` answers), by the trips of its ring and the tiles of a block."""
    slots = 3
    for trips in sorted({0, 1, 2, slots - 1, slots, slots + 1, 2 * slots, 2 * slots + 1}):
        sizes = f"M=64 N=64 K={trips * 32} block_M=64 block_N=64 block_K=32"
        yield kernel("gemm_relu.py:matmul", sizes), "yes"
        yield kernel("gemm_relu.py:matmul", sizes, "inject-pipeline.roles=false inject-pipeline.tma=true"), "yes"
        for tiles in (1, 2, 3):
            sizes = f"M=256 N={tiles * 64} K={trips * 32}"
            for more in ("", " split-roles.warp-groups=true"):
                yield kernel("../../tests/passes/inject_pipeline_blocks.py:matmul", sizes, f"inject-pipeline.blocks=2{more}"), "yes"
    for rows, least in ((2, 2), (2, 3), (3, 1), (4, 0)):
        sizes = f"rows={rows} heads=4 causal={least}"
        for more in ("", f" {ALONE}"):
            yield kernel("../../tests/passes/inject_pipeline_tiles.py:attention", sizes,
                         f"inject-pipeline.blocks={2 * rows}{more}"), "yes"
    slots = 2
    for trips in sorted({0, 1, 2, slots + 1, 2 * slots, 2 * slots + 1}):
        yield kernel("gemm_multicast.py:matmul", f"{CLUSTER_SIZES} K={trips * 64}"), "not-established"
    for trips in sorted({1, 2, slots - 1, slots, slots + 1, 2 * slots, 2 * slots + 1}):
        yield kernel("../../tests/passes/attention_overlap.py:attention", f"blocks=1 trips={trips}",
                     "plan-pipeline.overlap-products=true"), "yes"
        for tiles in (1, 2, 3):
            yield kernel("../../tests/passes/inject_pipeline_tiles.py:attention", f"heads=2 rows={tiles} trips={trips}",
                         f"inject-pipeline.blocks=2 {ALONE}"), "yes"
            yield kernel("../../tests/passes/stores_by_tma.py:matmul", f"tiles={tiles} K={trips * 32}",
                         "inject-pipeline.roles=false infer-layouts.tma-stores=true"), "yes"
