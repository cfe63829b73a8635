#include "core/syntax/ast.h"

#include <algorithm>

namespace tilescope::ast {

llvm::StringRef spelling(BinaryOp op) {
  static constexpr llvm::StringRef Table[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                              "**", "<<", ">>", "&", "|", "^"};
  return Table[static_cast<size_t>(op)];
}

llvm::StringRef spelling(CompareOp op) {
  static constexpr llvm::StringRef Table[] = {"==", "!=", "<",      "<=", ">",
                                              ">=", "is", "is not", "in", "not in"};
  return Table[static_cast<size_t>(op)];
}

const Comment *Module::commentOn(uint32_t line) const {
  auto found = std::lower_bound(comments.begin(), comments.end(), line,
                                [](const Comment &c, uint32_t l) { return c.line < l; });
  return found != comments.end() && found->line == line ? &*found : nullptr;
}

} // namespace tilescope::ast
