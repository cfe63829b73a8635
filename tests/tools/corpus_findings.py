"""What is known of kernels of TileLang's examples that compile but are not judged right.

Whose it is: "theirs" where the kernel as written does what no kernel should or what cannot be judged (it reads what nobody
wrote, blocks overwrite each other), "limit" where it cannot be run here, "ours" where it is still to be mended.
"""

# File or folder, function ("": all of it), stages, as a tuple: whose, why.
FINDINGS = [
]


def explained(file, function, stage):
    for path, name, stages, whose, why in FINDINGS:
        if file.startswith(path) and name in ("", function) and stage in stages:
            return whose, why
    return "", ""
