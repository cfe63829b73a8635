// Panel `source`: the lines of the kernel file, and what the selected pass has made of each.
#pragma once

#include "core/trace/trace_fields.h"
#include "core/views/buffer_names.h"
#include "core/views/view.h"

namespace tilescope {

struct SourceDiagnostic {
  uint32_t line = 0; // from 1; 0: of the whole file
  TextSpan columns;  // bytes of that line; empty: all of it
  std::string severity;
  std::string text;
  std::vector<DiagnosticText> notes;
};

struct SourceLine {
  std::string text;
  uint32_t statementCount = 0;   // of the IR after the pass
  uint32_t carriedCount = 0;     // of those: that this is their line was worked out
  std::vector<BufferId> buffers; // declared here, or named by its statements; ascending
  std::vector<BufferSpan> names; // of those
  uint32_t errorCount = 0;       // of the diagnostics
};

struct SourceView {
  std::string file;
  std::string pass;
  std::vector<SourceLine> lines;
  std::vector<SourceDiagnostic> diagnostics; // by line
  std::vector<NamedBuffer> namedBuffers;     // by id
};

SourceView buildSource(const Trace &trace, const Selection &selection);
void print(const SourceView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, SourceDiagnostic &diagnostic) {
  archive("line", diagnostic.line);
  archive("columns", diagnostic.columns);
  archive("severity", diagnostic.severity);
  archive("text", diagnostic.text);
  archive("notes", diagnostic.notes);
}

template <typename Archive> void fields(Archive &archive, SourceLine &line) {
  archive("text", line.text);
  archive("statementCount", line.statementCount);
  archive("carriedCount", line.carriedCount);
  archive("buffers", line.buffers);
  archive("names", line.names);
  archive("errorCount", line.errorCount);
}

template <typename Archive> void fields(Archive &archive, SourceView &view) {
  archive("file", view.file);
  archive("pass", view.pass);
  archive("lines", view.lines);
  archive("diagnostics", view.diagnostics);
}

} // namespace tilescope
