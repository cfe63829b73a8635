#include "core/trace/passes_not_run.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::vector<NamedPass> passesNotRun(const Trace &trace) {
  std::vector<NamedPass> names = namesInPipeline(trace.header.pipeline);
  if (trace.passes.empty())
    return {};
  // Both are in one order. The elaborated module and patches are in no pipeline.
  llvm::ArrayRef<NamedPass> left = names;
  for (const TracePass &pass : trace.passes) {
    auto found = llvm::find_if(left, [&](const NamedPass &name) { return name.name == pass.name; });
    if (found != left.end())
      left = left.drop_front(static_cast<size_t>(found - left.begin()) + 1);
  }
  return left.vec();
}

} // namespace tilescope
