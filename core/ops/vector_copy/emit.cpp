#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// Where the predicate is false a destination in global memory keeps its value, any other gets
// zeros.
void emitVectorCopy(const OpStmt &op, CudaWriter &writer) {
  const Expr *condition = op.args.empty() ? nullptr : op.args[0];
  std::string predicate = writer.condition(condition);
  bool toGlobal = writer.buffer(op.regions[1].buffer).scope == Scope::Global;
  bool isBranch = !predicate.empty() && toGlobal;
  if (isBranch)
    writer.openBlock("if (" + predicate + ")");
  std::string src = writer.address(op.regions[0], condition);
  std::string dst =
      isBranch ? writer.address(op.regions[1], condition) : writer.address(op.regions[1]);
  int64_t bytes = op.attr(Attr::Bytes);
  if (predicate.empty() || isBranch)
    writer.line(
        llvm::formatv("{0}<{1}>({2}, {3});", writer.call(Helper::CopyVector), bytes, dst, src));
  else
    writer.line(llvm::formatv("{0}<{1}>({2}, {3}, {4});", writer.call(Helper::CopyVectorOrZero),
                              bytes, dst, src, predicate));
  if (isBranch)
    writer.closeBlock();
}

} // namespace tilescope
