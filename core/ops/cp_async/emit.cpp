#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitCpAsync(const OpStmt &op, CudaWriter &writer) {
  std::string predicate = op.args.empty() ? "" : writer.condition(op.args[0]);
  writer.line(llvm::formatv("{0}<{1}>({2}, {3}{4});", writer.call(Helper::CpAsync),
                            op.attr(Attr::Bytes), writer.address(op.regions[1]),
                            writer.address(op.regions[0]),
                            predicate.empty() ? "" : ", " + predicate));
}

} // namespace tilescope
