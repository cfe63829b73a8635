// What a view may change of a kernel that is compiled live; each change compiles it again.
#pragma once

#include "core/session/document.h"
#include "core/support/ids.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilescope {

class LiveKernel {
public:
  virtual ~LiveKernel() = default;
  // The value is a Python literal.
  virtual void setArgument(llvm::StringRef name, llvm::StringRef value) = 0;
  virtual void setTarget(llvm::StringRef target) = 0;
  // "inject-pipeline.peel-epilogue" and "true", as in TraceHeader::passOptions.
  virtual void setPassOption(llvm::StringRef name, llvm::StringRef value) = 0;
  // "height" or "occupancy".
  virtual void setPlanFor(llvm::StringRef goal) = 0;
  // All of it at once, edits of the IR included, in place of what was asked before.
  virtual void request(const Requested &wanted) = 0;
  // An edit of the IR, of nothing but where a shared buffer lies.
  virtual void setOffset(BufferId buffer, int64_t offsetBytes) = 0;
  // Another edit: a unified diff of the tagged text after a pass (core/driver/patch.h).
  virtual void addEdit(llvm::StringRef place, llvm::StringRef patch) = 0;
  // Passes end before this one: an index into the passes of the trace and, after those, the ones
  // that did not run. nullopt: they all run.
  virtual void breakBefore(std::optional<size_t> pass) = 0;
  // With the kernel as it was at a revision, once that is compiled; also where nothing is live.
  // What it is compared with stays until then.
  virtual void compareWith(llvm::StringRef revision) = 0;
};

} // namespace tilescope
