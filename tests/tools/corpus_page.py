"""The record of the corpus: how many kernels pass each stage, which do not and why, as Markdown and CSV."""

import collections
import csv
import statistics
import subprocess

from corpus_stages import STAGES

HEAD = """# What becomes of TileLang's own examples

{which} that TileLang 0.1.15 makes of its public examples (commit a35008a4), for {target}: read, compiled,
and put through the further stages as far as they were asked for. `{command}` writes this page.
A row counts as lowered where the incumbent gives code for the same target; where that asks for more shared memory than the
target has, it is compiled for the next one here, sm_90a. Kernels of other GPUs are those that the examples name so.
"""

# Characters of a message that the page shows.
LONGEST = 240


def counted(results, stage):
    """How many come to a stage, and pass it."""
    asked = [result for result in results if stage in result.stages or result.failed()]
    return sum(result.stages.get(stage, "no") == "" for result in asked), len(asked)


def shares(results):
    """Passed and asked for, by the name that --at-least takes: stages, and compiles of what the incumbent lowers."""
    made = {stage: counted(results, stage) for stage in STAGES if any(stage in result.stages for result in results)}
    made["lowered"] = counted([result for result in results if result.row.is_lowered], "compile")
    made["ours"] = counted([result for result in results if not result.row.is_elsewhere], "compile")
    return made


NAMES = {"lowered": "compile, of what the incumbent lowers", "ours": "compile, without kernels of other GPUs"}


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"


def markdown(results, options, flags):
    which = "The first instance of every kernel" if options.first else "Every kernel instance"
    parts = [HEAD.format(which=which, target=options.target, command=" ".join(["./dev corpus DIR --csv LIST", *flags]))]
    parts.append(table(["stage", "passed", "of", ""],
                       [[NAMES.get(name, name), str(passed), str(asked), f"{100 * passed / max(asked, 1):.1f} %"]
                        for name, (passed, asked) in shares(results).items()]))
    failing = [result for result in results if result.failed()]
    if failing:
        reasons = collections.Counter()
        for result in failing:
            stage, (whose, why) = result.failed(), result.explanation()
            reasons[result.row.name, stage, result.stages[stage][:LONGEST], f"{whose}: {why}" if whose else ""] += 1
        parts.append("## What does not pass\n")
        parts.append("The first stage that fails, and what is known of it.\n")
        parts.append(table(["kernel", "rows", "stage", "why", "known"],
                           [[name, str(rows), *rest] for (name, *rest), rows in reasons.items()]))
    larger = [result for result in results if result.is_larger()]
    if larger:
        parts.append("## More shared memory than the incumbent\n")
        parts.append(table(["kernel", "bytes of each launch", "the incumbent's"],
                           [[result.row.name, words(result.bytes), words(result.row.theirs)] for result in larger]))
    return "\n".join(parts + times_table(results))


def name_of_gpu():
    return subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.splitlines()[0]


def times_table(results):
    """Of kernels that were timed beside the incumbent's, those first where it is ahead the most."""
    timed = [(float(result.milliseconds) / float(result.their_milliseconds), result) for result in results if result.their_milliseconds]
    if not timed:
        return []
    mean = statistics.geometric_mean(ratio for ratio, _ in timed)
    head = (f"{len(timed)} kernels at the size of the list, on one {name_of_gpu()}, ours compiled as for their target, the incumbent's\n"
            f"for the GPU that both ran on; the geometric mean of ours over theirs is {mean:.2f}, {sum(ratio <= 1 for ratio, _ in timed)} are no slower.\n")
    rows = [[result.row.name, " ".join(result.row.arguments[1::2]), result.milliseconds, result.their_milliseconds, f"{ratio:.2f}"]
            for ratio, result in sorted(timed, key=lambda pair: -pair[0])]
    return ["## Time beside the incumbent\n", head, table(["kernel", "arguments", "ms", "the incumbent's", "ours over theirs"], rows)]


def words(numbers):
    return " ".join(map(str, numbers or []))


def write_csv(results, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "arguments", "target", *STAGES, "shared_bytes", "incumbent_bytes", "spilled_bytes", "compile_ms", "ms", "incumbent_ms", "known"])
        for result in results:
            passed = ["" if stage not in result.stages else result.stages[stage] or "ok" for stage in STAGES]
            writer.writerow([result.row.name, " ".join(result.row.arguments[1::2]), result.row.target, *passed, words(result.bytes),
                             words(result.row.theirs), result.spilled, f"{result.compile_milliseconds:.1f}", result.milliseconds, result.their_milliseconds,
                             ": ".join(filter(None, result.explanation()))])
