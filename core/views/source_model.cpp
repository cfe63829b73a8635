#include "core/views/source_model.h"

#include "core/trace/trace_origin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <unordered_set>

namespace tilescope {

namespace {

// The n-th line at n - 1.
std::vector<SourceLine> linesOf(llvm::StringRef text) {
  std::vector<SourceLine> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back({line.rtrim('\r').str(), 0, 0, {}, {}, 0});
    text = rest;
  }
  return lines;
}

// nullptr: no line of the file, as in a corrupt trace.
SourceLine *lineOf(SourceView &view, const Span &span) {
  return span.line == 0 || span.line > view.lines.size() ? nullptr : &view.lines[span.line - 1];
}

void addStatements(const Trace &trace, const TraceSnapshot &snapshot, SourceView &view) {
  std::unordered_set<StmtId> counted;
  IrBufferNames names(isForeign(trace.header), *snapshot.buffers);
  for (LineId id : *snapshot.lines) {
    const TraceLine &irLine = trace.lines[id];
    std::vector<BufferSpan> named = names.spansOf(irLine);
    SourceLine *line = lineOf(view, irLine.span);
    if (!line)
      continue;
    if (irLine.stmt.isValid() && counted.insert(irLine.stmt).second) {
      ++line->statementCount;
      line->carriedCount += irLine.isCarried;
    }
    for (const BufferSpan &span : named)
      line->buffers.push_back(span.buffer);
  }
  for (const BufferRecord &buffer : *snapshot.buffers)
    if (SourceLine *line = lineOf(view, buffer.span))
      line->buffers.push_back(buffer.id);
  for (SourceLine &line : view.lines) {
    llvm::sort(line.buffers);
    line.buffers.erase(llvm::unique(line.buffers), line.buffers.end());
  }
}

// The file says `A_shared` of every buffer that was made of it, so the name means one of those that
// the line is about: the first that has no role, which is the kernel's own.
void findNames(SourceView &view) {
  for (SourceLine &line : view.lines) {
    BufferNames names;
    for (BufferId id : llvm::reverse(line.buffers))
      if (const NamedBuffer *buffer = findBuffer(view.namedBuffers, id))
        if (buffer->key.role.empty())
          names.declare(buffer->key.sourceName, id);
    line.names = names.spansOf(line.text);
  }
}

SourceDiagnostic diagnosticOf(const TraceDiagnostic &diagnostic, const SourceView &view) {
  SourceDiagnostic result;
  result.severity = diagnostic.severity;
  result.text = diagnostic.text;
  result.notes = diagnostic.notes;
  const Span &span = diagnostic.span;
  if (span.line == 0 || span.line > view.lines.size())
    return result;
  result.line = span.line;
  auto length = static_cast<uint32_t>(view.lines[span.line - 1].text.size());
  uint32_t end = span.endLine == span.line ? std::min(span.endColumn, length + 1) : length + 1;
  if (span.column != 0 && span.column < end)
    result.columns = {span.column - 1, end - 1};
  return result;
}

void printDiagnostic(const SourceDiagnostic &diagnostic, size_t indentation,
                     llvm::raw_ostream &out) {
  Ink ink = {diagnostic.severity == "error" ? Ink::Bad : Ink::Notice};
  if (diagnostic.columns.begin != diagnostic.columns.end) {
    out.indent(indentation + diagnostic.columns.begin);
    write(out, std::string(diagnostic.columns.end - diagnostic.columns.begin, '^'), ink);
    out << '\n';
  }
  out.indent(indentation);
  write(out, diagnostic.severity + ": " + diagnostic.text, ink);
  out << '\n';
  for (const DiagnosticText &note : diagnostic.notes) {
    out.indent(indentation) << "note: " << note.text << lineText(", line ", note.sourceLine())
                            << '\n';
  }
}

} // namespace

SourceView buildSource(const Trace &trace, const Selection &selection) {
  SourceView view;
  view.file = trace.header.file;
  view.pass = selectedPlace(trace, selection);
  view.lines = linesOf(trace.header.fileText);
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  view.namedBuffers = namedBuffersOf(snapshot, BufferHues::of(trace));
  addStatements(trace, snapshot, view);
  findNames(view);
  for (const TraceDiagnostic &diagnostic : trace.diagnostics) {
    view.diagnostics.push_back(diagnosticOf(diagnostic, view));
    if (uint32_t line = view.diagnostics.back().line; line && diagnostic.severity == "error")
      ++view.lines[line - 1].errorCount;
  }
  llvm::stable_sort(view.diagnostics, [](const SourceDiagnostic &a, const SourceDiagnostic &b) {
    return a.line < b.line;
  });
  return view;
}

void print(const SourceView &view, llvm::raw_ostream &out) {
  write(out, view.file, {Ink::Strong});
  out << ": line, IR statements after " << view.pass << ", text\n\n";
  constexpr size_t TextColumn = 14;
  auto next = view.diagnostics.begin();
  for (; next != view.diagnostics.end() && next->line == 0; ++next)
    printDiagnostic(*next, TextColumn, out);
  for (size_t i = 0; i != view.lines.size(); ++i) {
    const SourceLine &line = view.lines[i];
    std::string count = line.statementCount ? std::to_string(line.statementCount) : "";
    std::string row = llvm::formatv("{0,5}  {1,5}  {2}", i + 1, count, line.text);
    out << llvm::StringRef(row).rtrim() << '\n';
    for (; next != view.diagnostics.end() && next->line == i + 1; ++next)
      printDiagnostic(*next, TextColumn, out);
  }
}

} // namespace tilescope
