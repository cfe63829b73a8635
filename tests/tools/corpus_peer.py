#!/usr/bin/env python3
"""How long TileLang's own compile of a kernel runs on this GPU, in milliseconds.

usage: corpus_peer.py KERNEL FOLDER [NAME=VALUE ...] [--tensor NAME=TYPE ...] [--scalar NAME=VALUE ...]
                      [--lock FILE]

FOLDER has what the tensors start as, from `tilescope run --save`. Run by corpus.py --peer, with a Python that has TileLang.
Timed over sets of tensors that do not fit the cache together, of which a graph launches the rotation, the median of batches
of about 20 ms, as `tilescope run --bench` does. One process at a time measures that has the same --lock."""

import argparse
import os
import pathlib
import sys

import corpus_stages
import gpu_door
from tilescope import door

MOST_SETS, BATCHES, BATCH_MILLISECONDS = 16, 15, 20


def sets_of(values):
    """Of the parameters, each with tensors of its own; all together they are three times the cache, or as many as are allowed."""
    import torch

    cache = torch.cuda.get_device_properties(0).L2_cache_size
    size = sum(value.numel() * value.element_size() for value in values if torch.is_tensor(value))
    count = min(max(3 * cache // max(size, 1) + 1, 2), MOST_SETS)
    copies = ([value.clone() if torch.is_tensor(value) else value for value in values] for _ in range(count - 1))
    return [values, *copies]


def graph_of(launch, sets):
    import torch

    launch(sets[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for tensors in sets:
            launch(tensors)
    return graph


def median_milliseconds(launch, sets):
    import torch

    graph = graph_of(launch, sets)

    def timed(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / count / len(sets)

    batch = max(1, int(BATCH_MILLISECONDS / max(timed(1), 1e-3) / len(sets)))
    times = sorted([timed(batch) for _ in range(BATCHES)][1:])  # the first may still run at a low clock
    return times[len(times) // 2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tensor", nargs="*", default=[], metavar="NAME=TYPE")
    parser.add_argument("--scalar", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--lock", default=os.devnull, metavar="FILE")
    parser.add_argument("arguments", nargs="*", metavar="NAME=VALUE")
    given = parser.parse_args()
    arguments = gpu_door.settings(given.arguments, dict(word.split("=") for word in given.tensor))
    names = gpu_door.parameters_of(door.lower(door.kernel_in_file(given.kernel), **arguments))
    function, compiled = gpu_door.compiled_by_tilelang(given.kernel, arguments)
    returned = set(door.outputs_of(function, None))
    scalars = dict(word.split("=") for word in given.scalar)

    def launch(values):
        compiled(*(value for at, value in enumerate(values) if at not in returned))

    with corpus_stages.alone(given.lock):
        values, _ = gpu_door.parameters_in(function, names, given.folder, scalars)
        print(f"{median_milliseconds(launch, sets_of(values)):.4f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
