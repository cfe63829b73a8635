"""The kernel instances of testdata/kernels: what the kernels and nvcc layers compile.

An instance is a comment line of a kernel file: `# tilescope: FUNCTION --set M=1024 ...`; with
`--target T` in it, for that target only. A line `# tilescope-run: --dim m=1000` before it gives what
`tilescope run` needs besides; `# tilescope-not-run: why` says that nothing can run it and know what should come out.
"""

import re
import shlex

import tree

TARGETS = ["sm_80", "sm_89", "sm_90a"]
INSTANCE = re.compile(r"^#\s*tilescope:\s*(.+)$")
SPILLS_EXPECTED = "# tilescope-spills-ok"
NOT_RUN = "# tilescope-not-run: "
RUN = re.compile(r"^#\s*tilescope-run:\s*(.+)$")


class Instance:
    def __init__(self, arguments, target, previous):
        self.arguments = arguments  # of `tilescope compile`, the target included
        self.target = target
        run = RUN.match(previous)
        self.spills_expected = previous.startswith(SPILLS_EXPECTED)
        self.is_run = not previous.startswith(NOT_RUN)
        self.run_arguments = shlex.split(run.group(1)) if run else []  # of `tilescope run`, besides `arguments`
        self.label = " ".join(arguments)


def kernel_files():
    return [path for path in tree.files(".py") if path.startswith("testdata/kernels/")]


def of_file(path):
    """The instances of one file, one for each target; `previous` is the line before."""
    previous = ""
    for line in tree.text(path).splitlines():
        match = INSTANCE.match(line)
        if match:
            function, *rest = shlex.split(match.group(1))
            named = rest[rest.index("--target") + 1] if "--target" in rest else None
            for target in [named] if named else TARGETS:
                extra = [] if named else ["--target", target]
                yield Instance([f"{path}:{function}", *rest, *extra], target, previous)
        previous = line


def one_target_each(instances):
    """One of each instance's targets, taking turns, so that every target has its share."""
    by_kernel = {}
    for instance in instances:
        by_kernel.setdefault(tuple(a for a in instance.arguments if a != instance.target), []).append(instance)
    return [targets[turn % len(targets)] for turn, targets in enumerate(by_kernel.values())]


def run_instances(paths):
    """Those of `all_instances` that are run."""
    instances, findings = all_instances(paths)
    return [instance for instance in instances if instance.is_run], findings


def all_instances(paths):
    """(instances, findings): a kernel file without an instance is a finding."""
    instances, findings = [], []
    for path in paths:
        found = list(of_file(path))
        instances += found
        if not found:
            findings.append(f"{path}: no '# tilescope: FUNCTION ...' line")
    return instances, findings
