// What a pass is. A pass knows the IR, its options and the target; it does not know who watches.
#pragma once

#include "core/ir/build.h"
#include "core/pass/remark.h"
#include "core/support/diagnostics.h"
#include "core/target/target.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <variant>

namespace tilescope {

// Set from another thread to abandon a compile.
using StopToken = std::atomic<bool>;

// What the planner of shared memory prefers.
struct PlanPreferences {
  // Fewer barriers before a lower plan, as long as as many blocks fit on an SM.
  bool forOccupancy = false;
  // Where buffers lay in an earlier plan, by toString(BufferKey).
  std::map<std::string, int64_t> previousOffsets;
};

struct PassContext {
  Context &context;
  const Target &target;
  Diagnostics &diagnostics;
  RemarkSink &remarks;
  const StopToken *stop = nullptr;
  PlanPreferences plan;
};

// One option of a pass: its address in the pass object, found by name. Read from
// `--passes 'name{option=value}'` in one place (pass_options.h).
struct PassOption {
  llvm::StringRef name; // kebab-case
  std::variant<bool *, int64_t *, std::string *> value;
  llvm::StringRef help; // one line
};

class Pass {
public:
  virtual ~Pass() = default;
  // The same pointer: unchanged. Null: an error was reported.
  virtual const Module *run(const Module &module, PassContext &context) = 0;
  virtual std::vector<PassOption> options() { return {}; }
};

// Runs `transform` on each function and collects the results; the usual body of `run`. Null as soon
// as `transform` returns null.
const Module *forEachFunction(const Module &module,
                              llvm::function_ref<const Function *(const Function &)> transform);

// What a pass may do to the values that a kernel writes.
enum class ResultChange : uint8_t {
  Exact,        // nothing: they stay the same, bit for bit
  Reassociated, // sums are taken in another order
};

// The registry, from passes/passes.def (implemented in passes/registry.cpp; the pass manager takes
// it as a value, so core does not depend on passes).
struct PassInfo {
  llvm::StringRef name;
  PropertySet required; // of every function
  llvm::StringRef help;
  std::unique_ptr<Pass> (*create)();
  ResultChange results = ResultChange::Exact;
};

struct PassInstance {
  const PassInfo *info = nullptr; // null: a group, which runs `nested`
  std::unique_ptr<Pass> pass;
  std::string options; // as given, canonical: "a=1,b=true"; empty for defaults
  std::string name;
  std::vector<PassInstance> nested;
};

} // namespace tilescope
