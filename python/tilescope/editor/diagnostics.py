"""What the program finds, as diagnostics: of all instances together, each with its notes and fixes."""

from typing import Any

from lsprotocol import types

from tilescope.editor.positions import line_range, place_range, span_range
from tilescope.editor.snapshots import Instance, Snapshot
from tilescope.problem import Problem

SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
VERDICTS = {"verified": "IR verified", "arenaSound": "arena sound", "hazardFree": "free of hazards",
            "withinCapacity": "within capacity"}

# What the instance line says wrong, though the program points at the kernel that it is said of.
OF_INSTANCE = {"BadArgument", "InvalidRequest", "MissingArguments", "NoKernel", "SeveralKernels", "UnknownArgument",
               "UnknownKernel"}


class Found:
    """The diagnostics of one snapshot: those of each instance replace what was known of it before."""

    def __init__(self, snapshot: Snapshot, before: "Found | None"):
        self.snapshot = snapshot
        labels = {instance.label for instance in snapshot.instances}
        self._of_label = {label: known for label, known in (before._of_label if before else {}).items() if label in labels}

    def take(self, instance: Instance, answer: dict[str, Any] | Problem) -> None:
        self._of_label[instance.label] = diagnostics_of(self.snapshot, instance, answer)

    def all(self) -> list[types.Diagnostic]:
        """Each once. What is not so for all instances that were checked names the first for which it is."""
        merged: dict[tuple, tuple[types.Diagnostic, list[str]]] = {}
        for label, diagnostics in self._of_label.items():
            for diagnostic in diagnostics:
                where = diagnostic.range
                key = (where.start.line, where.start.character, diagnostic.code, diagnostic.message)
                merged.setdefault(key, (diagnostic, []))[1].append(label)
        return [diagnostic if len(labels) == len(self._of_label) else self._naming(diagnostic, labels[0], len(labels))
                for diagnostic, labels in merged.values()]

    def _naming(self, diagnostic: types.Diagnostic, label: str, count: int) -> types.Diagnostic:
        if any(diagnostic.range.start.line == instance.line for instance in self.snapshot.instances):
            return diagnostic
        others = f" and {count - 1} more" if count > 1 else ""
        return types.Diagnostic(range=diagnostic.range, severity=diagnostic.severity, code=diagnostic.code,
                                source=diagnostic.source, message=f"{diagnostic.message}\nwith: {label}{others}",
                                related_information=diagnostic.related_information, data=diagnostic.data)


def diagnostics_of(snapshot: Snapshot, instance: Instance, answer: dict[str, Any] | Problem) -> list[types.Diagnostic]:
    at_instance = line_range(snapshot, instance.line)
    if isinstance(answer, Problem):
        return [made(at_instance, types.DiagnosticSeverity.Error, "", str(answer))]
    found = [of_finding(snapshot, at_instance, finding) for finding in answer["findings"]]
    # Of a compile that failed nothing else can be said.
    if any(finding["severity"] == "error" for finding in answer["findings"]):
        return found
    if answer.get("overCapacity"):
        found.append(made(at_instance, types.DiagnosticSeverity.Error, "",
                          f"not {VERDICTS['withinCapacity']}: {answer['overCapacity']}"))
    return found + [of_gap(snapshot, at_instance, gap) for gap in answer["notEstablished"]]


def of_finding(snapshot: Snapshot, elsewhere: types.Range, finding: dict[str, Any]) -> types.Diagnostic:
    """What has no place in the file stands where a note has one, else at `elsewhere`."""
    notes = finding.get("notes", [])
    places = [place for place in (finding.get("place", {}), *(note.get("place", {}) for note in notes)) if place.get("line")]
    is_of_instance = finding["id"] in OF_INSTANCE
    where = place_range(snapshot, places[0]) if places and not is_of_instance else elsewhere
    message = "\n".join([finding["text"], *(f"note: {note_text(note)}" for note in notes)])
    related = [types.DiagnosticRelatedInformation(
        location=types.Location(snapshot.document.uri, place_range(snapshot, note["place"])), message=note["text"])
        for note in notes if note.get("place", {}).get("line")]
    fixes = [note["fix"] for note in notes if note.get("fix")]
    return made(where, SEVERITIES.get(finding["severity"], types.DiagnosticSeverity.Information), finding["id"], message,
                related, fixes)


def note_text(note: dict[str, Any]) -> str:
    line = note.get("place", {}).get("line")
    return f"{note['text']} (line {line})" if line else note["text"]


def of_gap(snapshot: Snapshot, elsewhere: types.Range, gap: dict[str, Any]) -> types.Diagnostic:
    place = gap.get("place", {})
    where = place_range(snapshot, place) if place.get("line") else elsewhere
    return made(where, types.DiagnosticSeverity.Information, "", f"{gap['question']}: not established: {gap['why']}")


def made(where: types.Range, severity: types.DiagnosticSeverity, code: str, message: str,
         related: list[types.DiagnosticRelatedInformation] | None = None, fixes: list | None = None) -> types.Diagnostic:
    return types.Diagnostic(range=where, severity=severity, code=code or None, source="tilescope", message=message,
                            related_information=related or None, data=fixes or None)


def actions(snapshot: Snapshot, found: Found, where: types.Range) -> list[types.CodeAction]:
    """The fixes of what stands in the lines of `where`."""
    made_actions = []
    for diagnostic in found.all():
        if where.start.line <= diagnostic.range.end.line and diagnostic.range.start.line <= where.end.line:
            for fix in diagnostic.data or []:
                edit = types.TextEdit(span_range(snapshot, fix["span"]), fix["text"])
                made_actions.append(types.CodeAction(
                    title=f"Change to '{fix['text']}'", kind=types.CodeActionKind.QuickFix, diagnostics=[diagnostic],
                    is_preferred=True, edit=types.WorkspaceEdit(changes={snapshot.document.uri: [edit]})))
    return made_actions
