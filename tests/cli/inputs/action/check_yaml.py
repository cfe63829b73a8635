"""check_yaml.py SOURCE OUT: reads the action and the hook, and leaves the shell of each step, and the command that
pre-commit would run, in OUT."""

import pathlib
import sys

import yaml

source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
action = yaml.safe_load((source / "action/action.yml").read_text())
assert action["runs"]["using"] == "composite"
for index, step in enumerate(action["runs"]["steps"]):
    assert step["shell"] == "bash" and "${{" not in step["run"], step["name"]
    for value in step.get("env", {}).values():
        for name in value.split("inputs.")[1:]:
            assert name.split()[0] in action["inputs"], value
    (out / f"step{index}.sh").write_text(step["run"])
for name in ["compare.sh", "comment.sh"]:
    assert (source / "action" / name).stat().st_mode & 0o100, name

(hook,) = yaml.safe_load((source / ".pre-commit-hooks.yaml").read_text())
assert hook["id"] == "tilescope-lock" and hook["language"] == "system"
(out / "hook").write_text(" ".join([hook["entry"], *hook["args"], '"$@"']) + "\n")
