#include "core/codegen/cuda_atomics.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

void emitAtomicFetch(const OpStmt &op, CudaWriter &writer) {
  fenceBefore(writer, op.attr(Attr::Order));
  std::string call =
      atomicCall(writer, op.regions[0], atomicKindOf(op.attr(Attr::Kind)), op.args[0]);
  if (op.args[0]->dtype() == DType::int64())
    call = "i64(" + call + ")";
  writer.line(writer.assignment(op.regions[1], call));
  fenceBehind(writer, op.attr(Attr::Order));
}

} // namespace tilescope
