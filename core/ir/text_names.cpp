#include "core/ir/text_names.h"

#include "core/ir/text_form.h"
#include "core/ir/visit.h"

namespace tilescope {

TextNames::TextNames(const Function &function) {
  for (const Param &param : function.params) {
    if (param.var)
      bind(param.var);
    else if (const Buffer *buffer = function.findBuffer(param.buffer))
      buffers_[buffer->id.value] = claim(buffer->name);
  }
  for (const Buffer *buffer : function.buffers)
    if (!buffers_.contains(buffer->id.value))
      buffers_[buffer->id.value] = claim(buffer->name);
  if (function.body)
    visit(function.body);
}

const TextNames &textNamesOf(Context &context, const Function &function) {
  return context.cached<TextNames>({&function}, [&] { return TextNames(function); });
}

std::string TextNames::of(BufferId buffer) const {
  auto found = buffers_.find(buffer.value);
  return found != buffers_.end() ? found->second : "undeclared_b" + std::to_string(buffer.value);
}

std::string TextNames::of(const Var *var) const {
  auto found = vars_.find(var);
  if (found != vars_.end())
    return found->second;
  return "unbound_" + asIdentifier(var->name) + "_v" + std::to_string(var->id.value);
}

std::string TextNames::claim(llvm::StringRef wished) {
  return names_.claim(asIdentifier(wished), isReservedWord);
}

void TextNames::bind(const Var *var) { vars_[var] = claim(var->name); }

void TextNames::visit(const Stmt *stmt) {
  llvm::SmallVector<const Var *> bound = varsBoundBy(stmt);
  for (const Var *var : bound)
    bind(var);
  forEachChild(stmt, [&](const Stmt *child) { visit(child); });
  if (!llvm::isa<Bind>(stmt))
    for (const Var *var : bound)
      release(var);
  // A bind holds to the end of its sequence.
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
    for (const Stmt *child : seq->stmts)
      if (const auto *bind = llvm::dyn_cast<Bind>(child))
        release(bind->var);
}

} // namespace tilescope
