#include "core/analysis/wide_sums.h"

#include "core/analysis/layout_access.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

int64_t widestSum(const Target &target, const Buffer &buffer) {
  bool isSmallFloat = buffer.dtype.isFloat() && buffer.dtype.bits == 16;
  if (buffer.scope != Scope::Global || !(isSmallFloat || buffer.dtype == DType::float32()))
    return 1;
  int64_t bytes = target.hasVectorSums() ? WidestAccessBytes : 4;
  return bytes * 8 / buffer.dtype.bits;
}

bool isPlainSum(const OpStmt &op, const Function &function) {
  const OpInfo &info = op.opInfo();
  bool isOfElement = info.scope == OpScope::Thread && op.regions.size() == 1 &&
                     op.operand(0).isAtomic && op.args.size() == 1 && info.has(Attr::Kind) &&
                     info.has(Attr::Order);
  return isOfElement && atomicKindOf(op.attr(Attr::Kind)) == AtomicKind::Add &&
         static_cast<MemoryOrder>(op.attr(Attr::Order)) == MemoryOrder::Relaxed &&
         op.args[0]->dtype() == function.buffer(op.regions[0].buffer).dtype;
}

bool isWideSum(const OpStmt &op) {
  return op.regions.size() == 2 && op.operand(0).isAtomic && op.opInfo().has(Attr::Bytes);
}

} // namespace tilescope
