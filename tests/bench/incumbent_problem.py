"""Inputs of a contest of gpu_incumbent.py, and launches of ours and of theirs on them. What a process is to launch it knows by
a path, CONTEST@RUNG@POINT: the library of ours, and for theirs only a name, since they keep what they compiled themselves."""
import collections
import ctypes
import json
import re

from incumbent_contests import words_of

SET_BYTES, MOST_SETS = 2 * 60 << 20, 16  # more than the cache holds
THEIRS = "theirs"


def theirs_of(options, contest, point):
    return options.work / f"{contest.name}@{THEIRS}@{point}"


def rung_and_point(library):
    _, rung, point = library.stem.split("@")
    return rung, int(point)


def compiled_by_them(options, contest, point):
    import gpu_door
    from tilescope import door

    return gpu_door.compiled_by_tilelang(f"{options.examples}/{contest.kernel}", door.settings(words_of(contest, point)))


def filled(name, dtype, extents):
    """What a parameter starts as: weights of a softmax need a level, what is added to starts at nothing."""
    import torch

    kind = getattr(torch, dtype)
    if name == "mask":
        return torch.randint(0, 2, extents, dtype=kind, device="cuda")
    if not kind.is_floating_point:
        info = torch.iinfo(kind)
        return torch.randint(info.min, info.max + 1, extents, dtype=kind, device="cuda")
    numbers = torch.randn(extents, device="cuda", dtype=torch.float32 if kind == torch.float32 else torch.float16)
    return (numbers + 10 if name == "lse" else numbers).to(kind)


class Problem:
    """Sets of the parameters of a contest: more of them than the cache holds, or one."""

    def __init__(self, options, contest, count=None):
        import torch

        self.options, self.contest = options, contest
        known = sorted(options.work.glob(f"{contest.name}@*.json"))[0]
        self.params = {param["name"]: param for launch in launches_of(known) for param in launch["params"]
                       if param["role"] != "workspace"}
        self.outputs = [name for name, param in self.params.items() if param["role"] != "input"]
        torch.manual_seed(1)
        first = {name: filled(name, param["dtype"], extents_of(param)) for name, param in self.params.items()}
        size = sum(tensor.numel() * tensor.element_size() for tensor in first.values())
        count = count or min(max(2, -(-SET_BYTES // size)), MOST_SETS)
        self.sets = [first] + [{name: tensor.clone() for name, tensor in first.items()} for _ in range(count - 1)]
        self.begin()

    def begin(self):
        for name in self.outputs:
            for tensors in self.sets:
                tensors[name].zero_()

    def ours(self, library):
        """Launches on a set, in PyTorch's stream; what it gives is in the set."""
        import torch

        text, loaded = library.with_suffix(".cu").read_text(), ctypes.CDLL(str(library))
        functions = [getattr(loaded, name) for name in re.findall(r'extern "C" cudaError_t (\w+)\(', text)]
        launches = launches_of(library.with_suffix(".json"))
        spaces = {param["name"]: torch.empty(extents_of(param), dtype=getattr(torch, param["dtype"]), device="cuda")
                  for launch in launches for param in launch["params"] if param["role"] == "workspace"}
        steps = [[(function, [ctypes.c_void_p((tensors | spaces)[param["name"]].data_ptr()) for param in launch["params"]])
                  for function, launch in zip(functions, launches)] for tensors in self.sets]

        def launch(index):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            for function, addresses in steps[index % len(steps)]:
                status = function(*addresses, stream)
                if status:
                    raise RuntimeError(f"{library.name}: CUDA's error {status}")
            return [self.sets[index % len(steps)][name] for name in self.outputs]

        launch.spaces = spaces  # that they live as long
        return launch

    def theirs(self, point):
        """As ours; what an eager kernel returns is kept as long as there are sets, so that it has as many buffers."""
        import gpu_door
        from tilescope import door

        function, kernel = compiled_by_them(self.options, self.contest, point)
        buffers = [function.buffer_map[param] for param in function.params]
        names = [str(buffer.name) for buffer in buffers]
        returned = sorted(door.outputs_of(function, None))
        given = [[gpu_door.in_shape(tensors[name], buffer.shape) for at, (name, buffer) in enumerate(zip(names, buffers))
                  if at not in returned] for tensors in self.sets]
        kept = collections.deque(maxlen=len(self.sets))

        def launch(index):
            results = kernel(*given[index % len(given)])
            kept.append(results)
            made = dict(zip([names[at] for at in returned], results if isinstance(results, (list, tuple)) else [results]))
            return [made.get(name, self.sets[index % len(given)][name]) for name in self.outputs]

        return launch

    def launcher(self, library):
        rung, point = rung_and_point(library)
        return self.theirs(point) if rung == THEIRS else self.ours(library)


def launches_of(path):
    return json.loads(path.read_text())["launches"]


def extents_of(param):
    return [int(extent) for extent in param["shape"]]
