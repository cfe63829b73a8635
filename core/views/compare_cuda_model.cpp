#include "core/views/compare_cuda_model.h"

#include "core/trace/missing_cuda.h"

namespace tilescope {

namespace {

TextOfTrace cudaOf(const Trace &trace) {
  TextOfTrace text{trace, trace.snapshots[trace.passes.back().snapshot], "the CUDA", {}};
  for (CudaViewLine &line : buildCuda(trace, Selection()).lines)
    text.lines.push_back({std::move(line.text), line.stmt, BufferId(), line.sourceLine, false,
                          std::nullopt, std::move(line.names)});
  return text;
}

} // namespace

CompareCudaView buildCompareCuda(const Trace &trace, const Trace &other,
                                 const Selection & /*selection*/) {
  CompareCudaView view;
  if (trace.cuda.empty())
    view.missing = "no CUDA: " + reasonOfMissingCuda(trace);
  else if (other.cuda.empty())
    view.missing = "the other compile has no CUDA: " + reasonOfMissingCuda(other);
  else
    view = compareTexts(cudaOf(other), cudaOf(trace));
  return view;
}

} // namespace tilescope
