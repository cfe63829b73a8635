#include "core/codegen/cuda_writer.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

void emitCallExtern(const OpStmt &op, CudaWriter &writer) {
  std::vector<std::string> words;
  size_t region = 0, arg = 0;
  for (char letter : signatureOf(op)) {
    if (letter == 'v')
      words.push_back(writer.value(op.args[arg++]));
    else if (letter == '+')
      words.back() += " + (" + writer.index(op.args[arg++]) + ")";
    else if (letter == '=')
      ++region;
    else
      words.push_back(writer.pointer(op.regions[region++]));
  }
  std::string call =
      (textOfNumber(op.attr(Attr::Callee)) + "(" + llvm::join(words, ", ") + ")").str();
  writer.line(signatureOf(op).starts_with("=") ? writer.assignment(op.regions.front(), call)
                                               : call + ";");
}

} // namespace tilescope
