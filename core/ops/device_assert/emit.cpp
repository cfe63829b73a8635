#include "core/codegen/cuda_strings.h"
#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitDeviceAssert(const OpStmt &op, CudaWriter &writer) {
  llvm::StringRef message = textOfNumber(op.attr(Attr::Message));
  writer.openBlock("if (!(" + writer.condition(op.args[0]) + "))");
  if (!message.empty())
    writer.line("printf(\"Device assert failed: %s\\n\", " + cudaString(message) + ");");
  writer.line("__trap();");
  writer.closeBlock();
}

} // namespace tilescope
