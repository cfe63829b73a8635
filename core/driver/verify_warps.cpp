#include "core/driver/verify_warps.h"

#include "core/analysis/named_barriers.h"
#include "core/analysis/warp_convergence.h"

namespace tilescope {

static bool verifyNamedBarriers(const Function &function, Diagnostics &diagnostics) {
  using Meeting = NamedBarrierPlace::Meeting;
  bool isFine = true;
  for (const NamedBarrierPlace &place : findNamedBarriers(function)) {
    if (place.meeting == Meeting::Fixed)
      continue;
    int64_t number = place.op->attr(Attr::Number), wanted = place.op->attr(Attr::Threads);
    bool isWrong = place.meeting == Meeting::Wrong;
    isFine &= !isWrong;
    Span span = place.op->span();
    Diagnostic &made =
        !isWrong ? diagnostics.report(DiagId::BarrierNotEstablished, span, wanted, number)
        : place.hasParts
            ? diagnostics.report(DiagId::BarrierPartsWarp, span, number)
            : diagnostics.report(DiagId::BarrierThreads, span, *place.threads, number, wanted);
    if (place.dividedBy)
      made.note(place.dividedBy->span(), "threads may disagree on this");
  }
  return isFine;
}

bool verifyWarps(const Function &function, Diagnostics &diagnostics) {
  bool isFine = verifyNamedBarriers(function, diagnostics);
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
