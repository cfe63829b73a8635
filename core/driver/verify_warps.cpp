#include "core/driver/verify_warps.h"

#include "core/analysis/warp_convergence.h"

namespace tilescope {

bool verifyWarps(const Function &function, Diagnostics &diagnostics) {
  bool isFine = true;
  for (const DivergentExchange &found : findDivergentExchanges(function)) {
    std::string name = nameOf(found.op->op).str();
    isFine &= !found.thread;
    Diagnostic &made =
        found.thread
            ? diagnostics.report(DiagId::LanesDiverge, found.op->span(), name, *found.thread)
            : diagnostics.report(DiagId::LanesNotEstablished, found.op->span(), name);
    if (found.dividedBy)
      made.note(found.dividedBy->span(), "lanes of a warp may disagree on this");
  }
  return isFine;
}

} // namespace tilescope
