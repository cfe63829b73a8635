#!/usr/bin/env python3
"""Launches cases that gpu_stress.py has prepared, and says how each goes, a line at a time.

usage: launched_case.py LAUNCHES < FOLDERS

A folder holds a test build, kernel.so and its kernel.cu, tensors as `tilescope exec --save` writes them, and scalars.json. The
first launch has no naps; those after it, each with a seed of its own, must leave the same bits, or, where the kernel adds
atomically, nearly the same numbers. Needs a GPU.
"""
import ctypes
import json
import pathlib
import re
import sys

import numpy

WORKSPACE_BYTES = 1 << 26  # more than any of the workspaces, which the caller allocates
LAUNCHER = re.compile(r'^extern "C" cudaError_t (launch_\w+)\(([^)]*)\) \{', re.MULTILINE)
ATOMICS = re.compile(r"atomic|\bred\.")
CTYPES = {"int": ctypes.c_int32, "i64": ctypes.c_int64, "float": ctypes.c_float, "bool": ctypes.c_bool,
          "u32": ctypes.c_uint32, "u64": ctypes.c_uint64, "double": ctypes.c_double}


class Driver:
    """Memory of the GPU through libcuda, in the context that the launchers use."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: CUDA's error {status}")

    def new(self, array):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(array.nbytes, 16)))
        self.write(address, array)
        return address

    def write(self, address, array):
        if array.nbytes:
            self.call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))

    def read(self, address, like):
        array = numpy.empty_like(like)
        if array.nbytes:
            self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), address, ctypes.c_size_t(array.nbytes))
        return array


class Launches:
    """The launchers of a case, with its tensors."""

    def __init__(self, folder):
        self.driver = Driver()
        self.library = ctypes.CDLL(str(folder / "kernel.so"))
        scalars = json.loads((folder / "scalars.json").read_text())
        self.before = {path.name[:-len(".before.npy")]: numpy.load(path) for path in folder.glob("*.before.npy")}
        self.places = {name: self.driver.new(array) for name, array in self.before.items()}
        text = (folder / "kernel.cu").read_text()
        self.launchers, self.written, self.has_atomics = [], {}, bool(ATOMICS.search(text))
        for name, parameters in LAUNCHER.findall(text):
            arguments = []
            for parameter in parameters.split(",")[:-1]:
                kind, word = re.fullmatch(r"\s*(.*?)(\w+)\s*", parameter, re.DOTALL).groups()
                if "*" not in kind:
                    value = scalars[word]
                    arguments.append(CTYPES[kind.strip()](float(value) if kind.strip() in ("float", "double") else int(value)))
                    continue
                if word not in self.places:
                    self.places[word] = self.driver.new(numpy.full(WORKSPACE_BYTES, 0xff, numpy.uint8))
                arguments.append(self.places[word])
                if word in self.before and not kind.startswith("const"):
                    self.written[word] = kind.split()[0]
            self.launchers.append((getattr(self.library, name), arguments))

    def restore(self):
        for name in self.written:
            self.driver.write(self.places[name], self.before[name])

    def launch(self, seed):
        """What the kernel leaves in the tensors that it writes."""
        self.restore()
        stream = ctypes.c_void_p(0)
        for function, arguments in [(self.library.set_nap_seed, [ctypes.c_uint32(seed)]), *self.launchers]:
            status = function(*arguments, stream)
            if status:
                raise RuntimeError(f"launch: CUDA's error {status}")
        self.driver.call("cuCtxSynchronize")
        return {name: self.driver.read(self.places[name], self.before[name]) for name in self.written}


def numbers_of(array, kind):
    """Of a bfloat16 or an fp8, which numpy lacks, something in the same order."""
    if kind == "bfloat16":
        return (array.astype(numpy.uint32) << 16).view(numpy.float32)
    if kind.startswith("fp8"):
        return numpy.where(array < 128, array, 128 - array.astype(numpy.float32)).astype(numpy.float32)
    return array


def is_close(got, expected, kind):
    """Within what another order of sums makes of it."""
    got, expected = numbers_of(got, kind), numbers_of(expected, kind)
    if got.dtype.kind != "f":
        return numpy.array_equal(got, expected)
    a, b = got.astype(numpy.float64), expected.astype(numpy.float64)
    scale = numpy.sqrt(numpy.mean(numpy.nan_to_num(b, posinf=0, neginf=0) ** 2)) + 1e-30 if b.size else 1
    return numpy.allclose(a, b, rtol=2e-2, atol=4e-2 * scale, equal_nan=True)


def differs_from_cpu(folder, case, first):
    """Tensors whose elements that the blocks on the CPU wrote are others on the GPU."""
    for name, got in first.items():
        path = folder / f"{name}.after.npy"
        if path.exists():
            expected = numpy.load(path)
            wrote = expected.view(f"u{expected.itemsize}") != case.before[name].view(f"u{expected.itemsize}")
            if wrote.any() and not is_close(got[wrote], expected[wrote], case.written[name]):
                yield name


def run_case(folder, launches):
    """Yields words now and then, and at last the verdict."""
    case = Launches(folder)
    first = case.launch(0)
    yield "first"
    wrong = list(differs_from_cpu(folder, case, first))
    if wrong:
        yield f"WRONG: not what exec computes: {', '.join(wrong)}"
        return
    for seed in range(1, launches + 1):
        for name, got in case.launch(seed).items():
            if not numpy.array_equal(got.reshape(-1).view("u1"), first[name].reshape(-1).view("u1")) and not (
                    case.has_atomics and is_close(got, first[name], case.written[name])):
                yield f"WRONG: {name} with seed {seed}{', with atomics' * case.has_atomics}"
                return
        if seed % max(launches // 10, 1) == 0:
            yield f"{seed} launches"
    yield "right"


def main():
    launches = int(sys.argv[1])
    for line in sys.stdin:
        try:
            for says in run_case(pathlib.Path(line.strip()), launches):
                print(says, flush=True)
        except Exception as error:  # of any kind: the parent is to know, and the context is lost
            print(f"FAILS: {type(error).__name__}: {error}", flush=True)
            return


if __name__ == "__main__":
    main()
