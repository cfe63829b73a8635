#include "core/support/diagnostics.h"

#include "llvm/Support/SourceMgr.h"

namespace tilescope {

namespace {

struct DiagInfo {
  Severity severity;
  const char *name;
  const char *text;
};

constexpr DiagInfo Table[] = {
#define DIAG(severity, name, text) {Severity::severity, #name, text},
#include "core/support/diagnostics.def"
};

llvm::SourceMgr::DiagKind kindOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return llvm::SourceMgr::DK_Error;
  case Severity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case Severity::Remark:
    return llvm::SourceMgr::DK_Remark;
  case Severity::Note:
    return llvm::SourceMgr::DK_Note;
  }
  return llvm::SourceMgr::DK_Error;
}

void renderLine(Severity severity, const Span &span, llvm::StringRef text, const SourceFiles &files,
                llvm::raw_ostream &out, bool colors) {
  if (!span.isValid() || !span.file.isValid() || span.file.value >= files.size()) {
    llvm::SMDiagnostic("", kindOf(severity), text).print(nullptr, out, colors);
    return;
  }
  std::string_view line = files.lineText(span.file, span.line);
  int first = static_cast<int>(span.column) - 1;
  int last = span.endLine == span.line ? static_cast<int>(span.endColumn) - 1
                                       : static_cast<int>(line.size());
  std::pair<unsigned, unsigned> range(first, std::max(first + 1, last));
  llvm::SourceMgr manager;
  llvm::SMDiagnostic(manager, llvm::SMLoc(), files.get(span.file).path, static_cast<int>(span.line),
                     first, kindOf(severity), text, llvm::StringRef(line.data(), line.size()),
                     {range})
      .print(nullptr, out, colors);
}

} // namespace

Severity severityOf(DiagId id) { return Table[static_cast<size_t>(id)].severity; }
llvm::StringRef nameOf(DiagId id) { return Table[static_cast<size_t>(id)].name; }
const char *textOf(DiagId id) { return Table[static_cast<size_t>(id)].text; }

Diagnostic &Diagnostics::add(DiagId id, Span span, std::string text) {
  errorCount_ += severityOf(id) == Severity::Error;
  all_.push_back({id, severityOf(id), span, std::move(text), {}});
  return all_.back();
}

void render(const Diagnostic &diagnostic, const SourceFiles &files, llvm::raw_ostream &out,
            bool colors) {
  renderLine(diagnostic.severity, diagnostic.span, diagnostic.text, files, out, colors);
  for (const DiagnosticNote &note : diagnostic.notes)
    renderLine(Severity::Note, note.span, note.text, files, out, colors);
}

} // namespace tilescope
