"""What each kernel of the corpus is put through, and how far it comes."""

import contextlib
import dataclasses
import fcntl
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile

import check_nvcc
import corpus_findings
import corpus_inputs
import corpus_sizes

PEER = pathlib.Path(__file__).with_name("corpus_peer.py")
STAGES = ("elaborate", "compile", "nvcc", "exec", "run")
NVCC = ("-std=c++17", "-cubin", "-Werror", "all-warnings", "-Xptxas", "-v")


@dataclasses.dataclass
class Result:
    row: object
    stages: dict = dataclasses.field(default_factory=dict)  # stage: "" where it is passed, else why not
    bytes: list = dataclasses.field(default_factory=list)  # shared, of each launch
    spilled: str = ""
    compile_milliseconds: float = 0  # of CPU, the process as a whole
    milliseconds: str = ""  # on the GPU
    their_milliseconds: str = ""  # the incumbent's
    command: list = dataclasses.field(default_factory=list)  # of the stage that failed
    is_wrong: bool = False  # some stage of the pipeline does not do what the kernel says

    def failed(self):
        """The first stage that fails; "" where none does."""
        return next((stage for stage, why in self.stages.items() if why), "")

    def explanation(self):
        """Whose the failure is, and why it is none of ours; ("", "") where nobody has said."""
        return corpus_findings.explained(self.row.file, self.row.function, self.failed())

    def is_larger(self):
        theirs = self.row.theirs
        if theirs is None or not self.bytes:
            return False
        if len(theirs) != len(self.bytes):
            return max(self.bytes) > max(theirs)
        return any(ours > other for ours, other in zip(self.bytes, theirs))


def first_error(text):
    """The message, at its line of the kernel."""
    lines = [line for line in text.splitlines() if "error:" in line] or text.strip().splitlines()[-1:] or ["no output"]
    placed = re.match(r".*?:(\d+):\d+: error: (.*)", lines[0])
    return f"line {placed[1]}: {placed[2]}" if placed else lines[0].removeprefix("error: ")


def launch_bytes(trace):
    """What each launch asks for, without what only the launch knows."""
    with open(trace, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.startswith('{"record":"launches"')]
    launches = [launch for record in records for launch in record["launches"]]
    counts = [(str(launch.get("dynamicSharedBytes", "0")), int(launch.get("staticSharedBytes", 0))) for launch in launches]
    return [(int(dynamic) if dynamic.isdigit() else 0) + static for dynamic, static in counts]


def ended(command, seconds, environment=None):
    """The finished process; None: it took longer."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment)
    except subprocess.TimeoutExpired:
        return None


def cpu_milliseconds(command):
    """The least that three runs take, of the process as a whole."""
    taken = []
    for _ in range(3):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        taken.append(1000 * (usage.ru_utime + usage.ru_stime))
    return min(taken)


class Stages:
    def __init__(self, options):
        self.options, self.nvcc = options, check_nvcc.find_nvcc()
        self.turns = itertools.count()  # which GPU times the next kernel

    def put_through(self, row):
        result = Result(row)
        with tempfile.TemporaryDirectory() as folder:
            if not self.compile(result, folder):
                return result
            if self.options.nvcc:
                self.build(result, folder)
            if self.options.exec:
                self.execute(result, folder)
            if self.options.run:
                self.run(result, folder)
        return result

    def kernel_of(self, row, arguments):
        paths = [word for path in self.options.python_path for word in ("--python-path", path)]
        return [row.kernel, *arguments, "--target", row.target, *paths]

    def fail(self, result, stage, why, command):
        result.stages[stage], result.command = why, command
        return False

    def compile(self, result, folder):
        row, options = result.row, self.options
        given = self.kernel_of(row, row.arguments)
        command = [options.tilescope, "compile", *given, "-o", f"{folder}/k.cu", "--trace", f"{folder}/k.trace"]
        compiled = ended(command, 300)
        if compiled is None:
            return self.fail(result, "compile", "no answer in 300 seconds", command)
        if compiled.returncode:
            as_written = ended([options.tilescope, "opt", *given, "--passes", ""], 300)
            stage = "elaborate" if as_written is None or as_written.returncode else "compile"
            result.stages["elaborate"] = ""
            return self.fail(result, stage, first_error(compiled.stderr), command)
        result.stages |= {"elaborate": "", "compile": ""}
        result.bytes = launch_bytes(f"{folder}/k.trace")
        if options.cpu:
            result.compile_milliseconds = cpu_milliseconds([options.tilescope, "compile", *given, "-o", f"{folder}/k.cu"])
        return True

    def build(self, result, folder):
        command = [self.nvcc, f"-arch={result.row.target}", *NVCC, f"{folder}/k.cu", "-o", f"{folder}/k.cubin"]
        built = ended(command, 600)
        output = built.stdout + built.stderr if built else "no answer in 600 seconds"
        is_clean = built is not None and built.returncode == 0 and "warning" not in output
        result.stages["nvcc"] = "" if is_clean else first_error(output).replace(folder + "/", "")
        spills = [found.group(1) for found in check_nvcc.SPILL.finditer(output) if found.groups() != ("0", "0")]
        result.spilled = " ".join(spills)

    def at_small_size(self, result, stage, verb, options, folder):
        """The verb on inputs of the kernel, at the first size that it takes."""
        row = result.row
        inputs = corpus_inputs.inputs_of(row.file, row.function, folder)
        for arguments in corpus_sizes.sizes(row):
            result.command = [self.options.tilescope, verb, *self.kernel_of(row, arguments), *inputs, *options]
            ran = ended(result.command, self.options.seconds)
            if ran is None:
                self.fail(result, stage, f"no answer in {self.options.seconds} seconds", result.command)
                return None
            if ran.returncode != 2:
                return ran
        self.fail(result, stage, "not run: " + first_error(ran.stderr), result.command)
        return None

    def execute(self, result, folder):
        """`exec` after every pass."""
        sample = [] if result.row.file in corpus_inputs.ALL_BLOCKS else ["--blocks", "4"]
        ran = self.at_small_size(result, "exec", "exec", ["--every-pass", *sample, "-j", "1"], folder)
        if ran is None:
            return
        result.stages["exec"] = ""
        if ran.returncode:
            stage = re.search(r"(?m)^(\S+).* (WRONG|not run)\b.*\n(.*(?:\n    .*)*)", ran.stdout)
            result.is_wrong = not stage or stage[2] == "WRONG"
            why = f"{stage[2]} after {stage[1]}: {stage[3].strip()}" if stage else (ran.stdout + ran.stderr)[-300:]
            result.stages["exec"] = " ".join(why.split())

    def run(self, result, folder):
        """On the GPU, against the reference."""
        ran = self.at_small_size(result, "run", "run", ["--check"], folder)
        if ran is None:
            return
        verdict = re.search(r"(?m)^verdict (.*)", ran.stdout)
        result.stages["run"] = "" if ran.returncode == 0 else verdict[1] if verdict else first_error(ran.stderr + ran.stdout)

    def time(self, result):
        """On the GPU, at the size of the list; the incumbent's compile for that GPU beside ours, on the same tensors."""
        row, peer = result.row, self.options.peer
        gpu = next(self.turns) % self.options.gpus
        environment = os.environ | {"CUDA_VISIBLE_DEVICES": str(gpu)}
        lock = pathlib.Path(tempfile.gettempdir(), f"tilescope-times-{gpu}")
        with tempfile.TemporaryDirectory() as folder:
            inputs = of_the_gpu(corpus_inputs.inputs_of(row.file, row.function, folder))
            command = [self.options.tilescope, "run", *self.kernel_of(row, row.arguments), *inputs, "--bench", "--lock", lock]
            ran = ended(command + (["--save", folder] if peer else []), 600, environment)
            result.milliseconds = milliseconds(ran, r"(?m)^time +([\d.]+) ms")
            if peer and result.milliseconds:
                types = [f"{name}={dtype}" for name, dtype in row.tensors.items()]
                scalars = [word for option, word in zip(inputs, inputs[1:]) if option == "--dim"]
                command = [peer, PEER, row.kernel, folder, *row.arguments[1::2], "--lock", lock, "--tensor", *types, "--scalar", *scalars]
                result.their_milliseconds = milliseconds(ended(command, 600, environment), r"(?m)^([\d.]+) ms")
        return result


def of_the_gpu(inputs):
    """Without the numbers of a smaller device, for which the CPU runs a kernel."""
    pairs = zip(inputs[::2], inputs[1::2])
    return [word for option, value in pairs if option != "--device" for word in (option, value)]


@contextlib.contextmanager
def alone(path):
    """No other process that asks for this is in here."""
    with open(path, "w", encoding="utf-8") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)  # as the --lock of `run`
        yield


def milliseconds(ran, pattern):
    found = re.search(pattern, ran.stdout) if ran else None
    return found[1] if found else ""
