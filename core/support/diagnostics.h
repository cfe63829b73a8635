// Declared diagnostics: what is wrong (or worth knowing) about a user's kernel.
//
// Every message stands once in diagnostics.def with its severity and text. Trouble with the world
// (files, GPU, JSON) is `llvm::Expected`; trouble with ourselves is `assert` or a verifier failure.
#pragma once

#include "core/support/source.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

enum class Severity : uint8_t { Error, Warning, Remark, Note };

enum class DiagId : uint16_t {
#define DIAG(severity, name, text) name,
#include "core/support/diagnostics.def"
};

Severity severityOf(DiagId id);
// "BufferNeverWritten": the name in diagnostics.def, shown in JSON and used by tests.
llvm::StringRef nameOf(DiagId id);
const char *textOf(DiagId id);
// Of a name as `nameOf` gives it: whether it says what is wrong with what a kernel does, rather
// than that its text, its arguments or a construct in it could not be taken (kernel_faults.def).
bool isKernelFault(llvm::StringRef name);
// Of these, one that the verifier finds.
bool isIrFault(llvm::StringRef name);

// What mends it: `text` in place of the last word `word` of `span`, which is not looked for beyond
// the line where `span` ends.
struct DiagnosticFix {
  Span span;
  std::string word;
  std::string text;

  friend bool operator==(const DiagnosticFix &, const DiagnosticFix &) = default;
};

struct DiagnosticNote {
  Span span;
  std::string text;
  std::optional<DiagnosticFix> fix = std::nullopt;
};

struct Diagnostic {
  DiagId id;
  Severity severity;
  Span span;
  std::string text;
  std::vector<DiagnosticNote> notes;

  Diagnostic &note(Span span, std::string text, std::optional<DiagnosticFix> fix = std::nullopt) {
    notes.push_back({span, std::move(text), std::move(fix)});
    return *this;
  }
};

// Collects diagnostics in the order in which they were reported.
class Diagnostics {
public:
  // Arguments fill {0}, {1}, ... of the text. The reference is valid until the next report.
  template <typename... Args> Diagnostic &report(DiagId id, Span span, Args &&...args) {
    return add(id, span, llvm::formatv(textOf(id), std::forward<Args>(args)...).str());
  }
  Diagnostic &add(DiagId id, Span span, std::string text);

  const std::vector<Diagnostic> &all() const { return all_; }
  unsigned errorCount() const { return errorCount_; }
  bool hasErrors() const { return errorCount_ != 0; }

private:
  std::vector<Diagnostic> all_;
  unsigned errorCount_ = 0;
};

// Prints `file:line:column: error: text`, the source line and a caret, then the notes.
void render(const Diagnostic &diagnostic, const SourceFiles &files, llvm::raw_ostream &out,
            bool colors);

} // namespace tilescope
