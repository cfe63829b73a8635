#include "core/frontend/module.h"

#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/functions.h"
#include "core/frontend/imports.h"
#include "core/frontend/statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

// Remembers the names that code which is not run would have bound, for messages.
static void noteSkippedNames(Evaluation &evaluation, const ast::Stmt *stmt) {
  auto noteAll = [&](ast::StmtList stmts) {
    for (const ast::Stmt *inner : stmts)
      noteSkippedNames(evaluation, inner);
  };
  llvm::SmallVector<llvm::StringRef, 4> names;
  if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
    for (const ast::Expr *target : assign->targets)
      collectTargetNames(target, names);
  } else if (const auto *def = llvm::dyn_cast<ast::FunctionDefStmt>(stmt)) {
    names.push_back(def->name);
  } else if (const auto *type = llvm::dyn_cast<ast::ClassDefStmt>(stmt)) {
    names.push_back(type->name);
  } else if (const auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
    for (const ast::IfBranch &one : branch->branches)
      noteAll(one.body);
    noteAll(branch->orelse);
  } else if (const auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
    collectTargetNames(loop->target, names);
    noteAll(loop->body);
  } else if (const auto *with = llvm::dyn_cast<ast::WithStmt>(stmt)) {
    noteAll(with->body);
  } else if (const auto *attempt = llvm::dyn_cast<ast::TryStmt>(stmt)) {
    noteAll(attempt->body);
    for (const ast::ExceptHandler &handler : attempt->handlers)
      noteAll(handler.body);
  }
  for (llvm::StringRef name : names)
    evaluation.names.globals->noteSkipped(name, stmt->span);
}

static void loadStatement(Evaluation &evaluation, const ast::Stmt *stmt, size_t position) {
  auto bindThunks = [&](llvm::ArrayRef<const ast::Expr *> targets) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    for (const ast::Expr *target : targets)
      collectTargetNames(target, names);
    for (llvm::StringRef name : names)
      evaluation.names.globals->bindThunk(name, position, stmt);
  };
  switch (stmt->kind) {
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom:
    bindImports(evaluation, stmt, position);
    break;
  case ast::StmtKind::FunctionDef: {
    const auto &def = *llvm::cast<ast::FunctionDefStmt>(stmt);
    evaluation.names.globals->bind(def.name, position, makeFunction(evaluation, def, true));
    break;
  }
  case ast::StmtKind::ClassDef:
    evaluation.names.globals->bindThunk(llvm::cast<ast::ClassDefStmt>(stmt)->name, position, stmt);
    break;
  case ast::StmtKind::Assign:
    bindThunks(llvm::cast<ast::AssignStmt>(stmt)->targets);
    break;
  case ast::StmtKind::AugAssign:
    bindThunks(llvm::cast<ast::AugAssignStmt>(stmt)->target);
    break;
  case ast::StmtKind::AnnAssign:
    if (llvm::cast<ast::AnnAssignStmt>(stmt)->value)
      bindThunks(llvm::cast<ast::AnnAssignStmt>(stmt)->target);
    break;
  case ast::StmtKind::Unsupported:
    if (const ast::Stmt *inner = llvm::cast<ast::UnsupportedStmt>(stmt)->stmt) {
      if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(inner))
        bindThunks(assign->targets);
      else
        noteSkippedNames(evaluation, inner);
    }
    break;
  case ast::StmtKind::Try:
    for (const ast::Stmt *inner : llvm::cast<ast::TryStmt>(stmt)->body)
      if (llvm::isa<ast::ImportStmt, ast::ImportFromStmt>(inner))
        bindImports(evaluation, inner, position);
    noteSkippedNames(evaluation, stmt);
    break;
  default:
    noteSkippedNames(evaluation, stmt);
  }
}

void loadModule(Evaluation &evaluation, const ast::Module &module) {
  for (size_t i = 0; i < module.body.size(); ++i)
    loadStatement(evaluation, module.body[i], i);
}

// Runs an assignment or a class of the top level, or follows an import, with the names as they
// stood there.
static bool runBinding(Evaluation &evaluation, ModuleScope &scope, llvm::StringRef name,
                       const ModuleScope::Binding &binding) {
  StandAt topLevel(evaluation.names, {nullptr, &scope});
  llvm::SaveAndRestore<KernelBuilder *> kernel(evaluation.kernel, nullptr);
  llvm::SaveAndRestore limit(scope.limit, binding.position);
  llvm::SaveAndRestore running(scope.running, binding.position);
  if (binding.thunk)
    return exec(evaluation, binding.thunk) == Flow::Normal;
  // A copy: the binding moves where another one is added.
  Value value = followImport(evaluation, ImportedName(*binding.imported));
  ModuleScope::Binding *after = scope.bindingAt(name, scope.running);
  after->imported.reset();
  after->value = value;
  return static_cast<bool>(value);
}

static Value readBinding(Evaluation &evaluation, ModuleScope &scope, llvm::StringRef name,
                         ModuleScope::Binding &binding) {
  if (binding.isFinal())
    return binding.value;
  // What runs sees only earlier bindings, so it cannot come back here.
  size_t position = binding.position;
  bool ran = runBinding(evaluation, scope, name, binding);
  ModuleScope::Binding *after = scope.bindingAt(name, position);
  // One that failed is not run, and not reported, again.
  if (!ran || !after->isFinal()) {
    after->thunk = nullptr;
    after->imported.reset();
    after->value = Value::poison();
  }
  return after->value;
}

std::optional<Value> readTopLevel(Evaluation &evaluation, ModuleScope &scope,
                                  llvm::StringRef name) {
  ModuleScope::Binding *binding = scope.find(name);
  return binding ? std::optional(readBinding(evaluation, scope, name, *binding)) : std::nullopt;
}

static Value undefinedName(Evaluation &evaluation, llvm::StringRef name, Span span) {
  evaluation.fail(DiagId::UndefinedName, span, name);
  ModuleScope &globals = *evaluation.names.globals;
  std::vector<std::string> names = globals.names();
  for (Env *env = evaluation.names.env; env; env = env->parent)
    for (llvm::StringRef local : env->names.keys())
      names.push_back(local.str());
  llvm::sort(names);
  // One letter is as near to any other.
  if (name.size() > 2)
    evaluation.suggest(name, names, span);
  if (std::optional<Span> skipped = globals.skippedAt(name))
    evaluation.note(*skipped,
                    ("'" + name + "' is bound in code of the top level that is not run").str());
  for (const std::string &module : globals.unknownStarImports())
    evaluation.note(Span(), "'from " + module + " import *' is not followed");
  return Value();
}

Value lookUp(Evaluation &evaluation, llvm::StringRef name, Span span) {
  bool isInnermost = true;
  for (Env *env = evaluation.names.env; env; env = env->parent) {
    bool isHidden = env->isClass && !isInnermost;
    isInnermost = false;
    if (env->globals.contains(name))
      break;
    auto found = isHidden ? env->names.end() : env->names.find(name);
    if (found != env->names.end())
      return found->second;
  }
  if (std::optional<Value> value = readTopLevel(evaluation, *evaluation.names.globals, name))
    return *value;
  if (Value value = namespaceMember(evaluation, "", name, span))
    return value;
  return undefinedName(evaluation, name, span);
}

FunctionObject *findFunction(Evaluation &evaluation, llvm::StringRef name) {
  ModuleScope::Binding *binding = evaluation.names.globals->find(name);
  return binding && binding->isFinal() ? binding->value.as<FunctionObject>() : nullptr;
}

} // namespace tilescope::frontend
