#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitBarrierVote(const OpStmt &op, CudaWriter &writer) {
  // In the order of BarrierVoteKind.
  static constexpr llvm::StringRef Functions[] = {"__syncthreads_count", "__syncthreads_and",
                                                  "__syncthreads_or"};
  writer.line(writer.assignment(op.regions[0], Functions[op.attr(Attr::Kind)].str() + "(" +
                                                   writer.value(op.args[0]) + ")"));
}

} // namespace tilescope
