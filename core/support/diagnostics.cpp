#include "core/support/diagnostics.h"

#include "core/support/printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cstring>

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

// A line longer than this is shown as the stretch around its caret.
constexpr size_t MaxLineBytes = 240;
constexpr size_t BytesBefore = 80;
constexpr size_t BytesAfter = 120;

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

size_t charactersOf(std::string_view text) {
  size_t count = 0;
  for (char byte : text)
    count += !continuesCharacter(byte);
  return count;
}

// Of `line` around the byte range [first, last), with a caret line below.
void renderStretch(std::string_view line, size_t first, size_t last, llvm::raw_ostream &out,
                   bool colors) {
  first = std::min(first, line.size());
  size_t begin = first > BytesBefore ? first - BytesBefore : 0;
  size_t end = std::min(line.size(), first + BytesAfter);
  while (begin < first && continuesCharacter(line[begin]))
    ++begin;
  while (end < line.size() && continuesCharacter(line[end]))
    ++end;
  std::string shown(line.substr(begin, end - begin));
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  const char *dots = begin > 0 ? "..." : "";
  out << dots << shown << (end < line.size() ? "..." : "") << '\n';
  last = std::clamp(last, first + 1, std::max(end, first + 1));
  size_t width = charactersOf(line.substr(first, last - first));
  llvm::WithColor caret(out, llvm::raw_ostream::GREEN, /*Bold=*/true, /*BG=*/false,
                        colors ? llvm::ColorMode::Enable : llvm::ColorMode::Disable);
  caret.get() << std::string(std::strlen(dots) + charactersOf(line.substr(begin, first - begin)),
                             ' ')
              << '^' << std::string(width > 1 ? width - 1 : 0, '~') << '\n';
}

void renderLine(Severity severity, const Span &span, llvm::StringRef text, const SourceFiles &files,
                llvm::raw_ostream &out, bool colors) {
  std::string shownText = withoutControls(text, "\n\t");
  if (!span.isValid() || !span.file.isValid() || span.file.value >= files.size()) {
    const char *program = severity == Severity::Note ? nullptr : "tilescope";
    llvm::SMDiagnostic("", kindOf(severity), shownText).print(program, out, colors);
    return;
  }
  std::string_view line = files.lineText(span.file, span.line);
  std::string path = withoutControls(files.get(span.file).path, "");
  // What points past its line comes from a file of strangers: of tagged text, say.
  bool isInLine = span.column != 0 && span.column <= line.size() + 1;
  size_t first = isInLine ? span.column - 1 : line.size();
  size_t endColumn = line.size() + 1;
  if (span.endLine == span.line)
    endColumn = std::min<size_t>(span.endColumn, endColumn);
  std::pair<unsigned, unsigned> range(first, std::max(first + 2, endColumn) - 1);
  std::string shown = withoutControls(line, "\t");
  bool hasCaret = isInLine && !llvm::StringRef(line).trim().empty();
  if (line.size() > MaxLineBytes || shown.size() != line.size() || !hasCaret) {
    // Without a line number of its own it prints no source line.
    std::string place = llvm::formatv("{0}:{1}:{2}", path, span.line, span.column);
    llvm::SMDiagnostic(place, kindOf(severity), shownText).print(nullptr, out, colors);
    auto shownColumn = [&](size_t column) {
      return withoutControls(line.substr(0, std::min(column, line.size())), "\t").size();
    };
    if (hasCaret)
      renderStretch(shown, shownColumn(range.first), shownColumn(range.second), out, colors);
    return;
  }
  llvm::SourceMgr manager;
  llvm::SMDiagnostic(manager, llvm::SMLoc(), path, static_cast<int>(span.line),
                     static_cast<int>(first), kindOf(severity), shownText,
                     llvm::StringRef(line.data(), line.size()), {range})
      .print(nullptr, out, colors);
}

} // namespace

Severity severityOf(DiagId id) { return Table[static_cast<size_t>(id)].severity; }
llvm::StringRef nameOf(DiagId id) { return Table[static_cast<size_t>(id)].name; }
const char *textOf(DiagId id) { return Table[static_cast<size_t>(id)].text; }

bool isKernelFault(llvm::StringRef name) {
  static constexpr DiagId Faults[] = {
#define FAULT(Name) DiagId::Name,
#include "core/support/kernel_faults.def"
  };
  return llvm::any_of(Faults, [&](DiagId fault) { return nameOf(fault) == name; });
}

bool isIrFault(llvm::StringRef name) {
  static constexpr DiagId Faults[] = {
#define FAULT(Name)
#define IR_FAULT(Name) DiagId::Name,
#include "core/support/kernel_faults.def"
  };
  return llvm::any_of(Faults, [&](DiagId fault) { return nameOf(fault) == name; });
}

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
