#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitCpAsync(const OpStmt &op, CudaWriter &writer) {
  const Expr *condition = op.args.empty() ? nullptr : op.args[0];
  std::string predicate = writer.condition(condition);
  writer.line(llvm::formatv("{0}<{1}>({2}, {3}{4});", writer.call(Helper::CpAsync),
                            op.attr(Attr::Bytes), writer.address(op.regions[1]),
                            writer.address(op.regions[0], condition),
                            predicate.empty() ? "" : ", " + predicate));
}

} // namespace tilescope
