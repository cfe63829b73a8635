#include "core/driver/verify_alignment.h"

#include "core/analysis/layout_access.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

static void verifyStart(const OpStmt &op, const Buffer &buffer, const BufferRegion &region,
                        const BoundValues &bound, Diagnostics &diagnostics) {
  int64_t bytes = std::min(op.attr(Attr::Bytes), WidestAccessBytes);
  WidthLimit limit;
  limitByStarts(buffer, region, bound, limit);
  limitByLayout(buffer, limit);
  if (limit.bytes < bytes)
    diagnostics.report(DiagId::HazardNotEstablished, op.span(),
                       "it is not established that " + std::to_string(bytes) + " bytes of '" +
                           buffer.name.str() + "' are aligned here: " + limit.reason);
}

void verifyAlignment(const Function &function, Diagnostics &diagnostics) {
  BoundValues bound = boundValuesOf(function);
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (!op || !infoOf(op->op).has(Attr::Bytes))
      return true;
    // The bytes that an mbarrier counts are not its own.
    for (auto [operand, region] : llvm::enumerate(op->regions))
      if (const Buffer &buffer = function.buffer(region.buffer);
          isMemory(buffer.scope) && !op->operand(operand).isMbarrier)
        verifyStart(*op, buffer, region, bound, diagnostics);
    return true;
  });
}

} // namespace tilescope
