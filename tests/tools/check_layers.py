#!/usr/bin/env python3
"""Who may include whom: reads #include lines and compares them with the tables below."""

import re

import tree

# folder: the folders it may include besides itself. The longest matching folder counts.
SUPPORT = ["core/support"]
IR = SUPPORT + ["core/access", "core/hopper", "core/syntax", "core/ir"]
ANALYSIS = IR + ["core/target", "core/analysis"]
PLAN = ANALYSIS + ["core/plan"]
PASS = PLAN + ["core/check", "core/pass"]
FACETS = PASS + ["core/facets", "core/codegen"]
TRACE = FACETS + ["core/json", "core/trace"]
TRACE_FILE = TRACE + ["core/recorded", "core/trace_file"]
VIEWS = ["core/support", "core/access", "core/plan", "core/facets", "core/json", "core/trace", "core/target", "core/diff",
         "core/stages", "core/exports", "core/find"]
ALLOWED = {
    "core/support": [],
    "core/access": SUPPORT,
    "core/hopper": SUPPORT,
    "core/syntax": SUPPORT,
    "core/ir": IR,
    "core/target": SUPPORT,
    "core/analysis": ANALYSIS,
    "core/plan": PLAN,
    # The judges share no code with what they judge.
    "core/check": ANALYSIS,
    "core/pass": PASS,
    "core/facets": FACETS,
    "core/json": SUPPORT,
    "core/trace": TRACE,
    "core/recorded": TRACE,
    "core/trace_file": TRACE_FILE,
    "core/stages": TRACE,
    "core/exports": TRACE + ["core/stages"],
    "core/diff": TRACE,
    "core/find": TRACE,
    "core/sweep": TRACE + ["core/driver"],
    "core/frontend": IR + ["core/target"],
    "core/exec": ANALYSIS,
    "core/codegen": ANALYSIS,
    "core/witness": SUPPORT + ["core/ir", "core/codegen", "core/exec"],
    "core/toolkit": SUPPORT + ["core/target"],
    "core/cuda": SUPPORT + ["core/target", "core/codegen", "core/toolkit"],
    "core/driver": TRACE_FILE + ["core/frontend", "core/exec", "passes"],
    "passes": PASS,
    # A pass of others, built against what is installed.
    "docs/example_pass": ANALYSIS + ["core/pass"],
    "core/views": VIEWS,
    "core/report": VIEWS + ["core/views"],
    "core/page": VIEWS + ["core/views"],
    "core/run": SUPPORT + ["core/ir", "core/target", "core/codegen", "core/cuda", "core/exec", "core/witness", "core/driver"] + TRACE_FILE,
    "core/session": ["core/views", "core/driver", "core/sweep", "core/support", "core/target", "core/toolkit", "core/facets", "core/trace", "core/trace_file"],
    "viewer/panels": ["core/session", "core/views", "core/support", "core/target", "core/access", "core/plan", "core/facets", "core/trace", "core/stages", "core/find"],
    "viewer/shell": ["viewer/panels", "core/session", "core/views", "core/driver", "core/support", "core/facets", "core/trace"],
    "viewer/app": ["viewer/shell", "viewer/panels", "core/session", "core/views", "core/driver", "core/support", "core/json",
                   "core/trace", "core/trace_file", "cli"],
    "cli": TRACE_FILE + ["core/driver", "core/diff", "core/exports", "core/find", "core/sweep", "core/exec", "core/run", "core/cuda", "core/session", "core/target", "core/toolkit",
                    "core/witness", "core/frontend", "core/stages", "core/views", "core/report", "core/page"],
}

# A file of an operation's folder is told by its name: what it may include, and who may include it, is as for this folder.
FILES_OF_OPS = {
    "op": "core/ir",
    "bind": "core/frontend",
    "layout": "core/analysis",
    "execute": "core/exec",
    "emit": "core/codegen",
    "ops": "core/ir",
    "attrs": "core/ir",
    "layouts": "core/analysis",
}

# External headers and the only folders that may include them.
EXTERNAL = [
    (re.compile(r"^(cuda|nvrtc|cuda_\w+|nvJitLink)\.h$"), ["core/cuda", "tests"],
     "CUDA Toolkit headers are included by core/cuda only"),
    (re.compile(r"^(imgui|imgui_internal)\.h$"), ["viewer/panels", "viewer/shell", "viewer/app", "tests"],
     "Dear ImGui belongs to viewer/panels, viewer/shell and viewer/app; models are plain values"),
    (re.compile(r"^(GLFW/|GL/|EGL/|backends/imgui_impl_)"), ["viewer/app", "tests"],
     "windows and OpenGL belong to viewer/app"),
]

# Single headers that are wider or narrower than their folder.
FORBIDDEN = [
    ("passes", "core/pass/pass_observer.h", "a pass does not know that anyone watches"),
    ("viewer/panels", "core/session/workspace.h", "a panel opens and compiles nothing: it is handed a Document"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


def folder_of(path):
    parts = path.split("/")
    if path.startswith("core/ops/"):
        return FILES_OF_OPS.get(parts[-1].split(".")[0], "core/ops")
    for depth in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:depth])
        if folder in ALLOWED:
            return folder
    return parts[0] if len(parts) > 1 else ""


def check_include(path, line, header):
    folder = folder_of(path)
    for pattern, owners, rule in EXTERNAL:
        if pattern.match(header) and folder not in owners:
            return f"{path}:{line}: {header}: {rule}"
    if folder == "tests":
        return None
    for source, target, rule in FORBIDDEN:
        if folder == source and header == target:
            return f"{path}:{line}: {header}: {rule}"
    target = folder_of(header)
    if target not in ALLOWED and target != "tests":
        return None
    if target != folder and target not in ALLOWED.get(folder, []):
        allowed = ", ".join(ALLOWED.get(folder, [])) or "nothing else"
        return f"{path}:{line}: {folder} may not include {header}: {folder} may include {allowed}"
    return None


def main():
    findings = []
    for path in tree.files(".h", ".cpp", ".def"):
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                finding = check_include(path, number, match.group(1) or match.group(2))
                if finding:
                    findings.append(finding)
    return findings


if __name__ == "__main__":
    tree.finish("layers", main())
