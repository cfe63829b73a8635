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

// Reports each fault of the function's arena; true if there is none. Once `stop` gives true nothing
// is found, here and below: see stoppable_checks.h.
bool verifyArena(Context &context, const Function &function, Diagnostics &diagnostics,
                 const std::function<bool()> &stop = {});

enum class HazardSeverity : uint8_t { Error, Warning };

// Reports statements in which threads race with each other (`core/analysis/statement_races.h`),
// which no barrier can help; true if there is none, whatever the severity.
bool verifyStatements(Context &context, const Function &function, Diagnostics &diagnostics,
                      HazardSeverity severity = HazardSeverity::Error);

// Reports each missing barrier or wait, and what `verifyStatements` does; true if there is none.
bool verifyHazards(Context &context, const Function &function, Diagnostics &diagnostics,
                   HazardSeverity severity = HazardSeverity::Error,
                   const std::function<bool()> &stop = {});

} // namespace tilescope
