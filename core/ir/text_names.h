// Names in IR text: one for every buffer and variable of a function.
//
// A name is as declared where that is an identifier not in use; else it gets a number:
//     for k in T.serial(0, 4):           two loops in a row may both say k,
//         for k_1 in T.serial(0, 4):     a loop inside another may not
// The names depend on nothing but the function.
#pragma once

#include "core/ir/context.h"
#include "core/ir/module.h"
#include "core/support/fresh_names.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope {

class TextNames {
public:
  explicit TextNames(const Function &function);

  // For what is not declared a stand-in that cannot be read back, e.g. "undeclared_b7".
  std::string of(BufferId buffer) const;
  std::string of(const Var *var) const;

private:
  std::string claim(llvm::StringRef wished);
  void bind(const Var *var);
  void release(const Var *var) { names_.release(vars_[var]); }
  void visit(const Stmt *stmt);

  FreshNames names_;
  llvm::DenseMap<uint32_t, std::string> buffers_; // by buffer id
  llvm::DenseMap<const Var *, std::string> vars_;
};

// Computed once for each function of `context`.
const TextNames &textNamesOf(Context &context, const Function &function);

} // namespace tilescope
