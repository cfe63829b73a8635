"""What the hardware executes: SASS of the cubin with the lines of the PTX, and registers, by programs of Triton's wheel."""

import pathlib
import re
import subprocess
import tempfile

from triton import knobs

USAGE = re.compile(r"Function (\S+):\s*\n\s*REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)")
SECONDS = 60


def device_record(cubin: bytes) -> dict:
    with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
        file = pathlib.Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        try:
            record = {"sass": said_by(knobs.nvidia.nvdisasm.path, "-c", "-gp", file)}
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:  # RuntimeError: the wheel lacks it
            record = {"noSass": f"no SASS: nvdisasm: {error}"}
        try:
            kernels = resources(said_by(knobs.nvidia.cuobjdump.path, "--dump-resource-usage", file))
        except (OSError, RuntimeError, subprocess.SubprocessError):
            kernels = []
        return record | ({"kernels": kernels} if kernels else {})


def said_by(program, *arguments) -> str:
    run = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, check=True)
    return run.stdout


def resources(usage: str) -> list[dict]:
    """Of kernels without a stack, which spill nothing. How many bytes others spill is not in the cubin."""
    return [{"kernel": kernel, "registers": int(registers), "stackBytes": 0, "spillStoreBytes": 0, "spillLoadBytes": 0,
             "staticSharedBytes": int(shared)}
            for kernel, registers, stack, shared, local in USAGE.findall(usage) if int(stack) == int(local) == 0]
