#include "core/trace/missing_cuda.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::string reasonOfMissingCuda(const Trace &trace) {
  auto failed = llvm::find_if(
      trace.passes, [](const TracePass &pass) { return pass.status == PassStatus::Failed; });
  auto error = llvm::find_if(trace.diagnostics, [](const TraceDiagnostic &diagnostic) {
    return diagnostic.severity == "error";
  });
  std::string why = error == trace.diagnostics.end() ? "" : error->text;
  if (failed != trace.passes.end())
    return "pass " + failed->name + " failed" + (why.empty() ? "" : ": ") + why;
  if (!why.empty())
    return why;
  if (!trace.complete)
    return "the trace has no end: its compile is still running, or was cut off";
  if (!trace.header.stopAfter.empty())
    return "the passes were to stop after " + trace.header.stopAfter;
  return "the passes end before emission; 'tilescope compile' emits it";
}

} // namespace tilescope
