// The peak with other arguments: what panel and view `peak` say of a kernel that can be compiled.
#pragma once

#include "core/driver/compile.h"
#include "core/session/background_results.h"
#include "core/views/peak_arguments.h"

namespace tilescope {

// Of the integers among the arguments of a compile. `header` is of the trace that it left,
// `request` what was asked; its stop token ends it with nothing.
PeakTrials tryArguments(CompileRequest request, const TraceHeader &header, unsigned threads);

struct TrialSource {
  uint64_t revision = 0; // of the document: another compile has another
  CompileRequest request;
  TraceHeader header;

  friend bool operator==(const TrialSource &a, const TrialSource &b) {
    return a.revision == b.revision;
  }
};

// While other compiles may run: on one thread.
class LiveTrials : public BackgroundResults<TrialSource, PeakTrials> {
public:
  explicit LiveTrials(std::function<void()> wake);
};

} // namespace tilescope
