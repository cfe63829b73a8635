#include "core/frontend/scope.h"

namespace tilescope::frontend {

void ModuleScope::bind(llvm::StringRef name, size_t position, Value value) {
  Binding binding;
  binding.position = position;
  binding.value = value;
  bindings_[name].push_back(binding);
}

void ModuleScope::bindThunk(llvm::StringRef name, size_t position, const ast::Stmt *stmt) {
  Binding binding;
  binding.position = position;
  binding.thunk = stmt;
  bindings_[name].push_back(binding);
}

void ModuleScope::bindImport(llvm::StringRef name, size_t position, ImportedName imported) {
  Binding binding;
  binding.position = position;
  binding.imported = std::move(imported);
  bindings_[name].push_back(std::move(binding));
}

ModuleScope::Binding *ModuleScope::find(llvm::StringRef name) {
  auto found = bindings_.find(name);
  if (found == bindings_.end())
    return nullptr;
  Binding *last = nullptr;
  for (Binding &binding : found->second)
    if (binding.position < limit)
      last = &binding;
  return last;
}

std::vector<std::string> ModuleScope::names() const {
  std::vector<std::string> names;
  for (const auto &[name, bindings] : bindings_)
    if (bindings.front().position < limit)
      names.push_back(name.str());
  return names;
}

ModuleScope::Binding *ModuleScope::bindingAt(llvm::StringRef name, size_t position) {
  auto found = bindings_.find(name);
  if (found == bindings_.end())
    return nullptr;
  for (Binding &binding : found->second)
    if (binding.position == position)
      return &binding;
  return nullptr;
}

std::optional<Span> ModuleScope::skippedAt(llvm::StringRef name) const {
  auto found = skipped_.find(name);
  return found == skipped_.end() ? std::nullopt : std::optional(found->second);
}

void collectTargetNames(const ast::Expr *target, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target))
    names.push_back(name->name);
  else if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(target))
    collectTargetNames(starred->value, names);
  else if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    for (const ast::Expr *element : tuple->elements)
      collectTargetNames(element, names);
  else if (const auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    for (const ast::Expr *element : list->elements)
      collectTargetNames(element, names);
}

Value *Names::findLocal(llvm::StringRef name) const {
  for (Env *scope = env; scope; scope = scope->parent)
    if (auto found = scope->names.find(name); found != scope->names.end())
      return &found->second;
  return nullptr;
}

BufferObject *Names::variableNamed(llvm::StringRef name) const {
  Value *value = findLocal(name);
  BufferObject *buffer = value ? value->as<BufferObject>() : nullptr;
  bool isVariable = buffer && (buffer->isVariable || buffer->draft.scope == Scope::LocalVar);
  return isVariable ? buffer : nullptr;
}

RegionObject *Names::referenceNamed(llvm::StringRef name) const {
  Value *value = findLocal(name);
  RegionObject *region = value ? value->as<RegionObject>() : nullptr;
  return region && region->isReference ? region : nullptr;
}

} // namespace tilescope::frontend
