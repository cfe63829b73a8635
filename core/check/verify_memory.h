// The two checkers on a function, with their findings as diagnostics.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

#include <functional>
#include <unordered_map>

namespace tilescope {

// Where the statements that plans and faults name stand in the source.
class StmtSpans {
public:
  explicit StmtSpans(const Function &function);

  // Invalid for a statement that the function does not have.
  Span of(StmtId id) const;

private:
  std::unordered_map<StmtId, Span> spans_;
};

// Reports each fault of the function's arena; true if there is none. A statement that is not shown
// to stay inside of its buffer is a warning, told once; as long as there is one, nothing is
// established. Once `stop` gives true nothing is found, here and below: see stoppable_checks.h.
bool verifyArena(Context &context, const Function &function, Diagnostics &diagnostics,
                 const std::function<bool()> &stop = {});

enum class HazardSeverity : uint8_t { Error, Warning };

// From the best to the worst.
enum class HazardVerdict : uint8_t {
  Free,           // it was shown that no threads of a block race with each other
  NotEstablished, // it was neither shown that they do nor that they do not
  Found,
};

// Reports statements in which threads race with each other (`core/analysis/statement_races.h`),
// which no barrier can help. What is not established is a warning, and told once: not again where
// `diagnostics` holds it.
HazardVerdict verifyStatements(Context &context, const Function &function, Diagnostics &diagnostics,
                               HazardSeverity severity = HazardSeverity::Error);

// Reports each missing barrier or wait, and what `verifyStatements` does. Where global memory lacks
// a barrier, that is not established.
HazardVerdict verifyHazards(Context &context, const Function &function, Diagnostics &diagnostics,
                            HazardSeverity severity = HazardSeverity::Error,
                            const std::function<bool()> &stop = {});

} // namespace tilescope
