#!/usr/bin/env python3
"""Runs the composite action of a folder as GitHub's runner does: inputs and their defaults, `if`, `env`, expressions, the
files of outputs and of the summary, and the end at the first step that fails.

Usage: runner.py ACTION_FOLDER STATE_FOLDER PULL_REQUEST [INPUT=VALUE...]

STATE_FOLDER/workspace is a checkout with the pull request in refs/pull/N; gh in STATE_FOLDER/bin stands for GitHub's.
Expressions are those that action.yml needs: names with dots, texts, ==, != and &&.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.strip()


class Runner:
    def __init__(self, action, state, number, inputs):
        self.action = pathlib.Path(action).resolve()
        self.state = pathlib.Path(state).resolve()
        self.workspace = self.state / "workspace"
        self.described = yaml.safe_load((self.action / "action.yml").read_text())
        # As in the event of a pull request: where the branch that it is for stands, and where its own does.
        shas = {f"github.event.pull_request.{side}.sha": git(self.workspace, "rev-parse", f"refs/pull/{number}/{side}")
                for side in ("base", "head")}
        self.names = {"github.event.pull_request.number": number, "github.token": "token-of-the-run", **shas}
        unknown = set(inputs) - set(self.described["inputs"])
        if unknown:
            sys.exit(f"runner: the action has no input {', '.join(sorted(unknown))}")
        for name, described in self.described["inputs"].items():
            self.names[f"inputs.{name}"] = inputs.get(name, self.filled(str(described.get("default", ""))))

    def value(self, expression):
        expression = expression.strip()
        for operator, join in (("&&", all), ("!=", None), ("==", None)):
            if operator not in expression:
                continue
            sides = [self.value(side) for side in expression.split(operator)]
            if join:
                return join(sides)
            return (sides[0] == sides[1]) == (operator == "==")
        if expression.startswith("'"):
            return expression.strip("'")
        # As GitHub has it: what is not there is empty.
        return self.names.get(expression, "")

    def filled(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: self.value(match.group(1)), text)

    def environment(self, step, output):
        filled = {name: self.filled(text) for name, text in step.get("env", {}).items()}
        return {**os.environ, "PATH": f"{self.state / 'bin'}:{os.environ['PATH']}", "RUNNER_TEMP": str(self.state / "temp"),
                "GITHUB_ACTION_PATH": str(self.action), "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_REPOSITORY": "owner/kernels", "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.state / "summary.md"), **filled}

    def step(self, step):
        if "if" in step and not self.value(step["if"]):
            print(f"skipped: {step['name']}", flush=True)
            return 0
        print(f"step: {step['name']}", flush=True)
        output = self.state / "output"
        output.write_text("")
        script = self.state / "step.sh"
        script.write_text(self.filled(step["run"]))
        # What the runner does for `shell: bash`.
        code = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script], cwd=self.workspace,
                              env=self.environment(step, output), stdin=subprocess.DEVNULL).returncode
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.names[f"steps.{step.get('id')}.outputs.{name}"] = value
        return code

    def run(self):
        (self.state / "temp").mkdir(exist_ok=True)
        (self.state / "summary.md").write_text("")
        for step in self.described["runs"]["steps"]:
            code = self.step(step)
            if code:
                return code
        return 0


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    action, state, number, *words = sys.argv[1:]
    code = Runner(action, state, number, dict(word.split("=", 1) for word in words)).run()
    print(f"exit code {code}")


if __name__ == "__main__":
    main()
