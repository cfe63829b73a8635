"""Questions to the program, each a process of its own: with a time limit, and ended when nobody waits for the answer."""

import asyncio
import contextlib
import json
import os
from typing import Any

from tilescope import programs
from tilescope.problem import Problem


class Program:
    """`tilescope`, as many at a time as there are cores. Problem says in one sentence why there is no answer."""

    def __init__(self, time_limit: float):
        self.time_limit = time_limit  # seconds
        self.slots = asyncio.Semaphore(os.cpu_count() or 1)

    async def ask(self, *arguments: str) -> dict[str, Any]:
        """What it prints as JSON, whatever its exit code."""
        async with self.slots:
            return await self._answer(arguments)

    async def _answer(self, arguments: tuple[str, ...]) -> dict[str, Any]:
        pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            child = await asyncio.create_subprocess_exec(str(programs.path("tilescope")), *arguments, "--format", "json",
                                                         stdin=none, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise Problem(str(error)) from None
        try:
            printed, said = await asyncio.wait_for(child.communicate(), self.time_limit)
        except TimeoutError:
            raise Problem(f"no answer within {self.time_limit:g} seconds") from None
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
        try:
            return json.loads(printed)
        except ValueError:
            raise Problem(last_line(said) or f"the program ended with {child.returncode}") from None


def last_line(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("tilescope: error: ") if lines else ""
