#include "core/exec/foreign_code.h"

#include "core/ir/visit.h"

namespace tilescope {

std::string nameOfForeignCall(const OpStmt &op) {
  std::string name = "foreign code '" + textOfNumber(op.attr(Attr::Callee)).str() + "'";
  return op.span().isValid() ? name + " at line " + std::to_string(op.span().line) : name;
}

std::string whyForeign(const Function &function) {
  std::string why;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && op->opInfo().isForeign && why.empty())
      why = nameOfForeignCall(*op) + " cannot be run here";
    return why.empty();
  });
  return why;
}

} // namespace tilescope
