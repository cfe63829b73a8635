#include "core/exec/thread_group.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// Where the predicate is false zeros arrive, and nothing is read.
void executeCpAsync(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  const Expr *predicate = predicateOf(op);
  llvm::SmallVector<uint32_t, 32> copying(lanes);
  if (predicate)
    copying = group.where(predicate, lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  LaneRegion src;
  if (!copying.empty())
    src = group.evaluate(op.regions[0], copying);
  for (int64_t element = 0; element != dst.size(); ++element)
    for (uint32_t lane : lanes) {
      bool isCopied = llvm::is_contained(copying, lane);
      Number value = isCopied ? group.load(src, lane, element) : Number{.i = 0};
      group.startCopy(dst, lane, element, value);
    }
}

} // namespace tilescope
