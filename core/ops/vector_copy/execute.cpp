#include "core/exec/alignment.h"
#include "core/exec/thread_group.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// All elements are read before the first is written: it is one access.
void executeVectorCopy(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  const Expr *predicate = predicateOf(op);
  llvm::SmallVector<uint32_t, 32> copying(lanes), others;
  if (predicate)
    copying = group.where(predicate, lanes);
  std::set_difference(lanes.begin(), lanes.end(), copying.begin(), copying.end(),
                      std::back_inserter(others));
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  std::vector<LaneValues> values(static_cast<size_t>(dst.size()),
                                 LaneValues(group.size(), Number{.i = 0}));
  if (!copying.empty()) {
    LaneRegion src = group.evaluate(op.regions[0], copying);
    findMisaligned(group, src, copying, op.attr(Attr::Bytes));
    findMisaligned(group, dst, copying, op.attr(Attr::Bytes));
    for (auto [element, of] : llvm::enumerate(values))
      for (uint32_t lane : copying)
        of[lane] = group.load(src, lane, static_cast<int64_t>(element));
  }
  if (dst.buffer->scope == Scope::Global)
    others.clear();
  for (auto [element, of] : llvm::enumerate(values)) {
    for (uint32_t lane : copying)
      group.store(dst, lane, static_cast<int64_t>(element), of[lane]);
    for (uint32_t lane : others)
      group.store(dst, lane, static_cast<int64_t>(element), Number{.i = 0});
  }
}

} // namespace tilescope
