# RUN: tilescope exec %s:masks --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/masks_of_lanes.py
# Bits, remainders and quotients of lane numbers, of negative numbers and in narrow types: no pass changes them.
# CHECK: {{^}}elaborate runs
# CHECK: {{^}}simplify equal
# CHECK: {{^}}cuda reversed equal
import tilelang
import tilelang.language as T

THREADS = 96


@tilelang.jit
def masks():
    @T.prim_func
    def main(
        numbers: T.Tensor((13, THREADS), "int32"), wide: T.Tensor((7, THREADS), "int64"), bits: T.Tensor((9, THREADS), "uint32")
    ):
        with T.Kernel(1, threads=THREADS) as bx:
            tx = T.get_thread_binding()
            lane = T.get_lane_idx()
            own = T.alloc_var("int32")
            word = T.alloc_var("uint32")
            own = tx - 40
            word = T.cast(tx - 40, "uint32")
            numbers[0, tx] = (tx - 40 + bx) & 0x7FFFFFFF
            numbers[1, tx] = (own - tx + tx) & 0x7FFFFFFF
            numbers[2, tx] = ((own * 8) & 0xFF) // 8
            numbers[3, tx] = ((tx - 40) & 31) + ((tx - 40) >> 5) * 32
            numbers[4, tx] = ((tx - 40) & 31) + ((tx - 40) & 32)
            numbers[5, tx] = ((tx - 40) & -32) + ((tx - 40) & 31)
            numbers[6, tx] = (tx << 28) >> 28
            numbers[7, tx] = (own << 28) >> 28
            numbers[8, tx] = ((own << 3) & 31) >> 3
            numbers[9, tx] = ((own // 4) % 8 + 4 * (own % 4)) & 15
            numbers[10, tx] = T.cast(T.cast((tx - 40) * 5, "int8") & T.int8(31), "int32")
            numbers[11, tx] = T.cast(T.cast(tx * 9, "uint8") >> T.uint8(3), "int32") % 8
            numbers[12, tx] = T.cast(T.cast(tx * 9, "int8"), "int32") // 8
            wide[0, tx] = T.cast(own, "int64") & 0xFFFFFFFF
            wide[1, tx] = T.cast(word, "int64") & 0xFFFFFFFF
            wide[2, tx] = T.cast(T.cast(T.cast(tx - 40, "int64") & 0xFFFFFFFF, "int32"), "int64")
            wide[3, tx] = (T.cast(tx - 40, "int64") << T.int64(60)) >> T.int64(60)
            wide[4, tx] = T.cast(word, "int64") % 64
            wide[5, tx] = T.cast(own, "int64") // 32 * 32 + (T.cast(own, "int64") & 31)
            wide[6, tx] = T.cast((tx << 28) >> 28, "int64")
            bits[0, tx] = (T.uint32(1) << (word & T.uint32(31))) - T.uint32(1)
            bits[1, tx] = T.cast((1 << lane % 31) - 1, "uint32") & T.uint32(0xFFFF)
            bits[2, tx] = T.cast(0xFFFF << (16 * (lane // 16)), "uint32")
            bits[3, tx] = T.uint32(0xFFFF) << T.cast(16 * (lane // 16), "uint32")
            bits[4, tx] = T.cast(1 << lane, "uint32") - T.uint32(1)
            bits[5, tx] = T.cast(tx - 40, "uint32") % T.uint32(32)
            bits[6, tx] = T.cast(tx - 40, "uint32") // T.uint32(32)
            bits[7, tx] = T.cast((tx - 40) & 31, "uint32") | T.uint32(0x80000000)
            bits[8, tx] = (word >> T.uint32(5)) << T.uint32(5)

    return main
