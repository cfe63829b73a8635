#include "core/codegen/cuda_atomics.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

void emitAtomicElement(const OpStmt &op, CudaWriter &writer) {
  fenceBefore(writer, op.attr(Attr::Order));
  writer.line(atomicCall(writer, op.regions[0], atomicKindOf(op.attr(Attr::Kind)), op.args[0]) +
              ";");
  fenceBehind(writer, op.attr(Attr::Order));
}

} // namespace tilescope
