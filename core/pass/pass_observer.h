// Who watches a pipeline. Observers get const IR and cannot change what is compiled.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

// One execution of a pass, or of a group of passes around the executions of its passes. The
// elaborated module, before any pass, is reported by beforePipeline.
struct PassExecution {
  int depth = 0; // 0: in no group
  llvm::StringRef name;
  llvm::StringRef options;
  int64_t wallMicroseconds = 0;               // of run() alone; 0 in beforePass
  int64_t irBytes = 0;                        // of nodes and texts that run() made; the same
  ResultChange results = ResultChange::Exact; // of a group: what its passes say
};

class PassObserver {
public:
  virtual ~PassObserver() = default;
  virtual void beforePipeline(const Module & /*module*/) {}
  virtual void beforePass(const PassExecution & /*execution*/, const Module & /*module*/) {}
  // `changed` is false when the pass returned the module that it got.
  virtual void afterPass(const PassExecution & /*execution*/, const Module & /*module*/,
                         bool /*changed*/) {}
  // `module` is what the checks refuse, or what the pass got if it reported an error itself;
  // `diagnostics` end with what was found.
  virtual void passFailed(const PassExecution & /*execution*/, const Module & /*module*/,
                          const Diagnostics & /*diagnostics*/) {}
  virtual void afterPipeline(const Module & /*module*/, bool /*succeeded*/) {}
  virtual void remark(const Remark & /*remark*/) {}
};

} // namespace tilescope
