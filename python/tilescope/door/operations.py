"""Operations: each of TileLang's to the one of core/ops/ops.def that it is, as a line of text."""

import functools

from tvm import tirx

from . import sparse
from .errors import NoCounterpart
from .expressions import Expressions, call_name, constant, type_name
from .foreign import ForeignCalls
from .layouts import loop_words
from .regions import Region, bits_of, match_extents, region_of
from .results import LOADS, Results
from .text import quoted

POLICIES = ("square", "full_row", "full_col")  # by TileLang's number
REDUCTIONS = {"sum": "sum", "max": "max", "min": "min", "absmax": "abs_max", "abssum": "abs_sum", "bitand": "bit_and",
              "bitor": "bit_or", "bitxor": "bit_xor"}
# Words for targets that are none of ours, or for instructions that lowering chooses itself.
HINTS = ("disable_tma", "eviction_policy", "k_pack", "wg_wait", "batch", "enable_fadd2", "use_tma")
# By TileLang's number.
ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
# Facts for a prover and hints: nothing is to be done.
NOTHING = ("assume", "no_set_max_nreg", "disable_warp_group_reg_alloc")


# Events of TileLang's profiler, which it emits under that profiler alone.
PROFILED = "TL_IKET_"


class Operations:
    """`line` gives the line of a call; None where nothing is to be done."""

    def __init__(self, expressions: Expressions, results: Results):
        self.expressions, self.results, self.threads = expressions, results, 0  # threads: of the launch
        self.foreign = ForeignCalls(expressions, self.unflattened)
        self.by_name = {
            "copy": self.copy, "async_copy": self.async_copy, "gemm": self.gemm, "gemm_sp": self.gemm_sp,
            "fill": self.fill, "reduce": self.reduce, "cumsum": self.cumsum, "cummax": self.cumsum,
            "atomicadd": self.atomic_tile, "atomicmax": self.atomic_tile, "atomicmin": self.atomic_tile,
            **{f"atomic_{kind}{ret}_elem_op": self.atomic_element for kind in ("add", "max", "min", "or")
               for ret in ("", "_ret")},
            "atomic_addx2_elem_op": self.atomic_vector, "atomic_addx4_elem_op": self.atomic_vector,
            "atomic_load_elem_op": self.atomic_load, "atomic_store_elem_op": self.atomic_store,
            **{name: self.raw_load for name in LOADS},
            **{name.replace("ld", "st", 1): self.raw_store for name in LOADS},
            "rng_init": self.rng_init, "rng_rand": self.rng_draw, "rng_rand_float": self.rng_draw,
            "device_assert": self.device_assert, "device_assert_with_msg": self.device_assert,
            "call_extern": self.extern, "call_pure_extern": self.extern,
            "tvm_storage_sync": self.barrier, "sync_warp": self.barrier, "ptx_commit_group": self.commit_group,
            "ptx_wait_group": self.wait_group, "named_barrier_arrive": self.named_arrive, "sync_grid": self.grid_barrier,
            "pdl_sync": self.of_launches, "pdl_trigger": self.of_launches,
            "cluster_sync": self.of_cluster, "cluster_arrive": self.of_cluster, "cluster_wait": self.of_cluster,
            "cluster_arrive_relaxed": self.of_cluster,
            "ptx_ldmatrix": self.ldmatrix, "ptx_mma": self.mma, "mma_fill": self.mma_fill,
        }

    def lines(self, call) -> list[str]:
        """Those inside of another start with four spaces for each step."""
        name = call_name(call)
        if name in NOTHING:
            return []
        if name not in self.by_name:
            raise NoCounterpart(f"T.{name}" if name else "a call of a function")
        lines = self.by_name[name](call)
        return [lines] if isinstance(lines, str) else lines

    def written(self, name: str, *words: str | None) -> str:
        return f"T.{name}({', '.join(word for word in words if word)})"

    def region(self, region: Region) -> str:
        axes = map(self.expressions.range, region.starts, region.extents)
        return self.expressions.at(region.buffer, list(axes))

    def refuse_others(self, call, *known: str):
        for name in call.annotations:
            if name not in (*known, *HINTS):
                raise NoCounterpart(f"'{name}' of T.{call_name(call)}")

    def copy(self, call):
        self.refuse_others(call, "coalesced_width", "prefer_instruction", "parallel_loop_layout")
        source, destination = map(region_of, call.args[:2])
        match_extents(source, destination)
        layout = call.annotations.get("parallel_loop_layout")
        if layout is not None or destination.has_run_time_extent():
            return self.spread_copy(source, destination, [] if layout is None else loop_words(layout))
        width = constant(call.annotations.get("coalesced_width", 0))
        prefer = getattr(call.annotations.get("prefer_instruction"), "value", "")
        return self.written("copy", self.region(source), self.region(destination),
                            f"coalesced_width={width}" if width else None,
                            f'prefer_instruction="{prefer}"' if prefer not in ("", "tma") else None)

    def async_copy(self, call):
        self.refuse_others(call, "coalesced_width")
        source, destination = map(region_of, call.args[:2])
        match_extents(source, destination)
        width = constant(call.annotations.get("coalesced_width", 0))
        return [self.written("copy", self.region(source), self.region(destination), "is_async=True",
                             f"coalesced_width={width}" if width else None), "T.commit_group()"]

    def spread_copy(self, source: Region, destination: Region, words: list[str]):
        """As a loop over its elements: where the kernel spreads it over threads, or memory says how many there are."""
        if len(destination.wide()) != len(source.wide()):
            raise NoCounterpart("'loop_layout' of a copy whose sides have other axes")

        def value(names):
            element, dtype = self.element_of(source, names), type_name(destination.buffer.dtype)
            return element if str(source.buffer.dtype) == str(destination.buffer.dtype) else f'T.cast({element}, "{dtype}")'

        return self.loop_over(destination, words, lambda names: f"{self.element_of(destination, names)} = {value(names)}")

    def loop_over(self, region: Region, words: list[str], line) -> list[str]:
        """A parallel loop over the axes of a region; `line` makes its body of the names of its variables."""
        wide = region.wide()
        names = [self.expressions.names.free(f"i{number}") for number in range(len(wide))]
        extents = [self.expressions.text(region.extents[axis]) for axis in wide]
        return [f"for {', '.join(names)} in T.Parallel({', '.join([*extents, *words])}):", "    " + line(names)]

    def element_of(self, region: Region, names: list[str]) -> str:
        """That at these places along its wide axes."""
        indices = list(map(self.expressions.text, region.starts))
        for name, axis in zip(names, region.wide()):
            indices[axis] = f"({indices[axis]} + {name})" if indices[axis] != "0" else name
        return self.expressions.at(region.buffer, indices)

    def gemm(self, call):
        self.refuse_others(call)
        a, b, c, transpose_a, transpose_b, _, _, _, policy, clear, barrier, *_ = call.args
        if type(barrier) is not tirx.IntImm:
            raise NoCounterpart("'mbar' of T.gemm")
        operands = [self.region(region_of(operand)) for operand in (a, b, c)]
        return self.product(operands, transpose_a, transpose_b, policy, clear)

    def product(self, operands: list[str], transpose_a, transpose_b, policy, clear, transpose_e=0):
        """Of four operands a sparse one."""
        policy = POLICIES[constant(policy)]
        return self.written("gemm_sparse" if len(operands) == 4 else "gemm", *operands,
                            None if constant(clear) == 0 else f"clear_accum={self.expressions.condition(clear)}",
                            "transpose_A=True" if constant(transpose_a) else None,
                            "transpose_B=True" if constant(transpose_b) else None,
                            "transpose_E=True" if constant(transpose_e) else None,
                            f'policy="{policy}"' if policy != "square" else None)

    def gemm_sp(self, call):
        """Of a dense product the zeros are multiplied, too."""
        self.refuse_others(call)
        a, e, b, c, transpose_a, transpose_e, transpose_b, _, _, _, policy, clear, *_ = call.args
        if sparse.has_product(call):
            operands = [self.region(region_of(operand)) for operand in (a, b, c, e)]
            return self.product(operands, transpose_a, transpose_b, policy, clear, transpose_e)
        dense = self.results.dense.get(hash(call)) or sparse.dense_of(call)
        whole = Region(dense, [tirx.const(0, "int32")] * 2, list(dense.shape))
        lines = self.loop_over(whole, [], lambda names: f"{self.element_of(whole, names)} = {self.dense_element(call, names)}")
        operands = [self.region(region) for region in (whole, region_of(b), region_of(c))]
        return [*lines, self.product(operands, 0, transpose_b, policy, clear)]

    def dense_element(self, call, names: list[str]) -> str:
        def at(operand, is_transposed, row: str, column: str) -> str:
            return self.element_of(region_of(operand), [column, row] if is_transposed else [row, column])

        a, e, _, _, transpose_a, transpose_e, *_ = call.args
        kept = functools.partial(at, a, constant(transpose_a))
        places = functools.partial(at, e, constant(transpose_e))
        return sparse.element(region_of(a).buffer.dtype, region_of(e).buffer.dtype, kept, places, *names)

    def fill(self, call):
        self.refuse_others(call)
        region = region_of(call.args[0])
        value = self.expressions.converted(call.args[1], region.buffer.dtype)
        is_part = any(constant(extent) != 1 for extent in region.buffer.shape)
        if not region.wide() and (is_part or region.buffer.scope() == "local.var"):
            return f"{self.expressions.element(region.buffer, region.starts)} = {value}"
        if region.has_run_time_extent():
            return self.loop_over(region, [], lambda names: f"{self.element_of(region, names)} = {value}")
        return self.written("fill", self.region(region), value)

    def reduce(self, call):
        self.refuse_others(call, "nan_propagate")
        source, out, kind, dim, clear = call.args
        does_nan_win = constant(call.annotations.get("nan_propagate", 0)) and kind.value in ("max", "min", "absmax")
        if kind.value not in REDUCTIONS:
            raise NoCounterpart(f"T.reduce_{kind.value}")
        return self.written("reduce", self.region(region_of(source)), self.region(region_of(out)),
                            f'kind="{REDUCTIONS[kind.value]}"', f"dim={constant(dim)}",
                            None if constant(clear) else "clear=False", "nan_propagate=True" if does_nan_win else None)

    def cumsum(self, call):
        self.refuse_others(call)
        source, destination, dim, reverse = call.args
        return self.written("cumsum", self.region(region_of(source)), self.region(region_of(destination)),
                            f"dim={constant(dim)}", "reverse=True" if constant(reverse) else None,
                            'kind="max"' if call_name(call) == "cummax" else None)

    # ---- Atomics

    def order(self, number, default: str) -> str | None:
        order = ORDERS[constant(number)]
        return None if order == default else f'order="{order}"'

    def atomic_tile(self, call):
        self.refuse_others(call, "memory_order")
        kind = call_name(call).removeprefix("atomic")
        words = [None if kind == "add" else f'kind="{kind}"',
                 self.order(call.annotations.get("memory_order", 0), "relaxed")]
        by_tma = "use_tma=True" if call.annotations.get("use_tma", 0) else None
        value, destination = call.args[0], region_of(call.args[1])
        if call_name(value) != "region" and type(value) is not tirx.BufferRegion:
            return self.atomic_of_each(destination, value, words)
        source = region_of(value)
        match_extents(source, destination)
        return self.written("atomic_tile", self.region(destination), self.region(source), *words, by_tma)

    def atomic_of_each(self, region, value, words):
        """One value for all elements of a tile."""
        value = self.expressions.converted(value, region.buffer.dtype)

        def line(names):
            return self.written("atomic_element", self.element_of(region, names), value, *words)

        return self.loop_over(region, [], line) if region.wide() else line([])

    def pointee(self, pointer):
        """The buffer and the indices that a pointer points to."""
        element = pointer.args[0] if call_name(pointer) in ("access_ptr", "address_of") else pointer
        if type(element) is tirx.BufferLoad:
            return element.buffer, [index.base if type(index) is tirx.Ramp else index for index in element.indices]
        if call_name(pointer) != "tvm_access_ptr":
            raise NoCounterpart("an access through a pointer")
        return self.unflattened(pointer.args[1], pointer.args[2])

    def unflattened(self, data, offset):
        """`offset` counts elements of a buffer whose last axis is the fastest."""
        buffer = self.expressions.buffers_by_data.get(hash(data))
        if buffer is None:
            raise NoCounterpart("an access through a pointer")
        indices = []
        for extent in reversed(buffer.shape[1:]):
            indices.insert(0, tirx.floormod(offset, extent))
            offset = tirx.floordiv(offset, extent)
        return buffer, [offset, *indices]

    def run(self, pointer, bits: int) -> str:
        """Adjacent elements of so many bits."""
        buffer, indices = self.pointee(pointer)
        count = bits // bits_of(buffer.dtype)
        texts = [self.expressions.text(index) for index in indices]
        if count > 1:
            texts[-1] = f"T.span({texts[-1]}, {count})"
        return self.expressions.at(buffer, texts)

    def result(self, call) -> str:
        return self.expressions.element(self.results.by_call[hash(call)], [0])

    def atomic_element(self, call):
        self.refuse_others(call)
        buffer, indices = self.pointee(call.args[0])
        kind = call_name(call).split("_")[1]
        order = self.order(call.args[2], "relaxed") if len(call.args) > 2 else None
        words = [self.expressions.converted(call.args[1], buffer.dtype), None if kind == "add" else f'kind="{kind}"', order]
        if hash(call) in self.results.by_call:
            return self.written("atomic_fetch", self.expressions.element(buffer, indices), self.result(call), *words)
        return self.written("atomic_element", self.expressions.element(buffer, indices), *words)

    def atomic_vector(self, call):
        self.refuse_others(call)
        lanes = 2 if "x2" in call_name(call) else 4
        bits = lanes * bits_of(self.pointee(call.args[0])[0].dtype)
        return self.written("atomic_vector", *(self.run(pointer, bits) for pointer in call.args[:2]))

    def atomic_load(self, call):
        buffer, indices = self.pointee(call.args[0])
        return self.written("atomic_load", self.expressions.element(buffer, indices), self.result(call),
                            self.order(call.args[1], "relaxed"))

    def atomic_store(self, call):
        buffer, indices = self.pointee(call.args[0])
        return self.written("atomic_store", self.expressions.element(buffer, indices),
                            self.expressions.converted(call.args[1], buffer.dtype), self.order(call.args[2], "relaxed"))

    # ---- Raw accesses

    def raw_load(self, call):
        words = LOADS[call_name(call)]
        registers = self.expressions.buffer(self.results.by_call[hash(call)])
        line = self.written("raw_copy", self.run(call.args[0], 32 * words),
                            f"{registers}[0:{words}]" if words > 1 else f"{registers}[0]",
                            None if words == 4 else f"bytes={4 * words}")
        if len(call.args) == 1:
            return line
        zeros = [f"{registers}[{word}] = T.uint32(0)" for word in range(words)]
        return [*zeros, f"if {self.expressions.condition(call.args[1])}:", "    " + line]

    def raw_store(self, call):
        words = LOADS[call_name(call).replace("st", "ld", 1)]
        destination, value = self.run(call.args[0], 32 * words), self.expressions.text(call.args[1])
        before = []
        if words == 1:
            before, value = [f"{self.result(call)} = {value}"], self.result(call)
        line = self.written("raw_copy", value, destination, None if words == 4 else f"bytes={4 * words}")
        if len(call.args) == 2:
            return [*before, line]
        return [*before, f"if {self.expressions.condition(call.args[2])}:", "    " + line]

    def extern(self, call):
        name = call.args[0].value
        if name == "DP4A":
            return self.written("dp4a", *(self.run(pointer, 32) for pointer in call.args[1:4]))
        if name == "debug_print_msg":
            return self.written("print", f"message={quoted(call.args[1].value)}")
        if name == "debug_print_var":
            return self.written("print", f"value={self.expressions.text(call.args[2])}", self.message(call.args[1]))
        if name == "debug_print_buffer_value":
            message, buffer, index, value = call.args[1:]
            return self.written("print", f"value={self.expressions.text(value)}",
                                f"index={self.expressions.text(index)}", self.message(message),
                                f"buffer={quoted(buffer.value)}")
        if name.startswith(PROFILED):
            return []
        result = self.results.by_call.get(hash(call))
        return self.foreign.lines(call, None if result is None else self.expressions.element(result, [0]))

    def message(self, text) -> str | None:
        return f"message={quoted(text.value)}" if text.value else None

    def device_assert(self, call):
        # TileLang writes behind a message where the statement stands.
        message = call.args[1].value.split("\n  at ")[0].rstrip("\n") if len(call.args) > 1 else ""
        return self.written("device_assert", self.expressions.condition(call.args[0]),
                            f"message={quoted(message)}" if message else None)

    # ---- Random numbers

    def random_state(self) -> str:
        return f"{self.expressions.buffer(self.results.random)}[0:16]"

    def rng_init(self, call):
        generator = call.args[3].value
        if generator != "curandStatePhilox4_32_10_t":
            raise NoCounterpart(f"the generator {generator}")
        return self.written("rng_init", self.random_state(),
                            *(self.expressions.converted(arg, "uint64") for arg in call.args[:3]))

    def rng_draw(self, call):
        kind = call.args[0].value if call.args else "bits"
        if self.results.random is None:
            raise NoCounterpart("T.rng_rand without T.rng_init")
        return self.written("rng_draw", self.random_state(), self.result(call),
                            None if kind == "bits" else f'kind="{kind}"')

    # ---- Synchronisation

    def barrier(self, call):
        if call_name(call) != "sync_warp" and call.args[0].value != "warp":
            return self.block_barrier(*call.args[1:])
        mask = call.args[0] if call_name(call) == "sync_warp" and call.args else None
        is_whole = mask is None or constant(mask) in (0xFFFFFFFF, -1)
        return self.written("barrier", None if is_whole else f"mask={self.expressions.converted(mask, 'uint32')}", 'scope="warp"')

    def block_barrier(self, number=0, threads=None):
        number, threads = constant(number), self.threads if threads is None else constant(threads)
        if number is None or threads is None:
            raise NoCounterpart("T.sync_threads of a number that is not constant")
        if number == 0 and threads == self.threads:
            return self.written("barrier")
        return self.named_barrier(number, threads)

    def named_barrier(self, number, threads, waits=True):
        return self.written("named_barrier", f"number={number}" if number != 1 else None, f"threads={threads}",
                            None if waits else "waits=False")

    def named_arrive(self, call):
        number, threads = map(constant, call.args)
        if number is None or threads is None:
            raise NoCounterpart("T.named_barrier_arrive of a number that is not constant")
        return self.named_barrier(number, threads, waits=False)

    def grid_barrier(self, _):
        return self.written("grid_barrier")

    def of_launches(self, call):
        return self.written(call_name(call))

    def of_cluster(self, call):
        return {"cluster_sync": "T.cluster_barrier()", "cluster_arrive": "T.cluster_arrive()",
                "cluster_arrive_relaxed": "T.cluster_arrive(relaxed=True)",
                "cluster_wait": "T.cluster_wait()"}[call_name(call)]

    # ---- Tensor cores, instruction by instruction

    def ldmatrix(self, call):
        transposed, matrices, source, destination = call.args
        count = constant(matrices)
        return self.written("ldmatrix", self.run(source, 128), self.run(destination, 32 * count),
                            f"matrices={count}" if count != 4 else None, "trans=True" if constant(transposed) else None)

    def mma(self, call):
        shape, left, right, _, _, _, *operands, saturates = call.args[:13]
        m_n, _, depth = shape.value.rpartition("k")
        if m_n != "m16n8" or (left.value, right.value) != ("row", "col") or constant(saturates) or len(call.args) > 13:
            raise NoCounterpart(f"T.ptx_mma of {shape.value}, {left.value} and {right.value}")
        runs = [self.run_behind(*operands[2 * number:2 * number + 2], count)
                for number, count in enumerate((int(depth) // 2, int(depth) // 4, 4))]
        return self.written("mma", *runs, f"k={depth}" if depth != "16" else None)

    def mma_fill(self, call):
        size, pointer, offset = call.args[-3:]
        buffer, _ = self.unflattened(pointer, offset)
        return self.written("fill", self.run_behind(pointer, offset, constant(size)), self.expressions.converted(0, buffer.dtype))

    def run_behind(self, data, offset, count: int) -> str:
        """Adjacent elements of registers."""
        buffer, indices = self.unflattened(data, offset)
        return f"{self.expressions.buffer(buffer)}[{self.expressions.range(indices[0], tirx.const(count, 'int32'))}]"

    def commit_group(self, _):
        return self.written("commit_group")

    def wait_group(self, call):
        pending = constant(call.args[0])
        if pending is None:
            raise NoCounterpart("T.ptx_wait_group of a number that is not constant")
        return self.written("wait_group", f"pending={pending}" if pending else None)
