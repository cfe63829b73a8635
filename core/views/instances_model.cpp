#include "core/views/instances_model.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_origin.h"
#include "core/views/findings_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// An error of another compiler is no finding of our checkers.
static bool hasFailed(const Trace &trace) {
  return trace.passes.back().status == PassStatus::Failed ||
         llvm::any_of(trace.diagnostics, [](const TraceDiagnostic &diagnostic) {
           return diagnostic.id == "other-compiler";
         });
}

std::vector<std::string> instanceTitles() {
  return {"kernel", "arguments", "target", "compiler", "sound", "trace", "peak bytes"};
}

std::vector<std::string> instanceCells(const InstanceRow &row) {
  std::string peak = row.peakBytes ? groupedNumber(*row.peakBytes) : "none";
  peak += row.isPreview ? " (preview)" : "";
  bool isKnown = row.error.empty();
  return {row.kernel,
          row.arguments,
          row.target,
          row.compiler,
          isKnown ? textOf(row.sound) : "error",
          row.trace,
          isKnown ? peak : ""};
}

InstanceRow instanceRowOf(const Trace &trace, std::string name) {
  const TraceHeader &header = trace.header;
  InstanceRow row;
  row.trace = std::move(name);
  row.kernel = header.function;
  for (const TraceParameter &parameter : header.parameters)
    row.arguments += (row.arguments.empty() ? "" : ", ") + parameter.name + "=" + parameter.value;
  row.target = header.target;
  row.compiler = isForeign(header) ? header.compiler : "tilescope " + header.toolVersion;
  if (trace.passes.empty())
    return row;
  PassFigures figures = figuresOf(trace, trace.passes.size() - 1);
  if (!hasFailed(trace)) {
    row.peakBytes = figures.sharedBytes;
    row.isPreview = figures.sharedIsPreview && figures.sharedBytes > 0;
  }
  row.sound = buildFindings(trace, Selection()).soundness();
  return row;
}

void print(const InstancesView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows = {instanceTitles()};
  for (const InstanceRow &row : view.rows)
    rows.push_back(instanceCells(row));
  printTable(out, rows, InstanceTextColumns, [&](size_t row, size_t column) {
    constexpr Ink::Kind Inks[] = {Ink::Quiet, Ink::Bad, Ink::Good};
    if (row == 0 || column != SoundColumn)
      return headingInk(row, column);
    const InstanceRow &shown = view.rows[row - 1];
    return shown.error.empty() ? Ink{Inks[static_cast<size_t>(shown.sound)]} : Ink{Ink::Bad};
  });
}

} // namespace tilescope
