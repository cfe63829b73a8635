"""What the hardware executes, by programs of Triton's wheel: registers, and the cubin, of which SASS is made when it is asked for; or
SASS itself, with the lines of the PTX."""

import base64
import os
import pathlib
import re
import subprocess
import tempfile

from triton._C import libtriton

USAGE = re.compile(r"Function (\S+):\s*\n\s*REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)")
SECONDS = 60
WITH_SASS = "TILESCOPE_RECORD_SASS"
PROGRAMS = pathlib.Path(libtriton.__file__).parents[1] / "backends/nvidia/bin"


def device_record(cubin: bytes) -> dict:
    with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
        file = pathlib.Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        record = sass_of(file) if os.environ.get(WITH_SASS) == "1" else {"cubin": base64.b64encode(cubin).decode()}
        try:
            kernels = resources(said_by("cuobjdump", "--dump-resource-usage", file))
        except (OSError, subprocess.SubprocessError):
            kernels = []
        return record | ({"kernels": kernels} if kernels else {})


def sass_of(file: pathlib.Path) -> dict:
    try:
        return {"sass": said_by("nvdisasm", "-c", "-gp", file)}
    except (OSError, subprocess.SubprocessError) as error:
        return {"noSass": f"no SASS: nvdisasm: {error}"}


def said_by(name: str, *arguments) -> str:
    """By the program that Triton would take."""
    given = os.environ.get(f"TRITON_{name.upper()}_PATH", "")
    program = given if os.access(given, os.X_OK) else PROGRAMS / name
    run = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, check=True)
    return run.stdout


def resources(usage: str) -> list[dict]:
    """Of kernels without a stack, which spill nothing. How many bytes others spill is not in the cubin."""
    return [{"kernel": kernel, "registers": int(registers), "stackBytes": 0, "spillStoreBytes": 0, "spillLoadBytes": 0,
             "staticSharedBytes": int(shared)}
            for kernel, registers, stack, shared, local in USAGE.findall(usage) if int(stack) == int(local) == 0]
