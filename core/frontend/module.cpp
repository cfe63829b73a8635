// The top level of a kernel file: imports, definitions, thunks, and what is not run.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

namespace {

// The namespace of builtins.def that a module of the outside world is; nullopt: unknown.
std::optional<llvm::StringRef> spaceOfModule(llvm::StringRef module) {
  return llvm::StringSwitch<std::optional<llvm::StringRef>>(module)
      .Case("tilelang", "tilelang")
      .Cases("tilelang.language", "tilelang.language.dtypes", "tilelang.tileop.base", "T")
      .Case("tilelang.math", "tilelang")
      .Case("tilelang.utils", "tilelang")
      .Case("tilelang.jit", "tilelang")
      .Case("tilelang.autotuner", "tilelang")
      .Case("tilelang.transform", "tilelang")
      .Case("tilelang.layout", "tilelang.layout")
      .Case("tvm", "tvm")
      .Cases("math", "functools", "itertools", "dataclasses", "enum", module)
      .Default(std::nullopt);
}

// What `from module import *` binds.
std::vector<llvm::StringRef> starNames(llvm::StringRef module) {
  if (module == "tilelang.autotuner")
    return {"autotune"};
  std::vector<llvm::StringRef> names;
  for (const BuiltinInfo *info : builtinsOf(*spaceOfModule(module)))
    names.push_back(info->name);
  return names;
}

} // namespace

void Interpreter::loadModule() {
  for (size_t i = 0; i < module_.body.size(); ++i)
    loadStatement(module_.body[i], i);
}

void Interpreter::loadStatement(const ast::Stmt *stmt, size_t position) {
  auto bindThunks = [&](llvm::ArrayRef<const ast::Expr *> targets) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    for (const ast::Expr *target : targets)
      collectTargetNames(target, names);
    for (llvm::StringRef name : names)
      globals_.bindThunk(name, position, stmt);
  };
  switch (stmt->kind) {
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom:
    loadImports(stmt, position);
    break;
  case ast::StmtKind::FunctionDef: {
    const auto &def = *llvm::cast<ast::FunctionDefStmt>(stmt);
    globals_.bind(def.name, position, makeFunction(def, true));
    break;
  }
  case ast::StmtKind::ClassDef:
    globals_.bindThunk(llvm::cast<ast::ClassDefStmt>(stmt)->name, position, stmt);
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
        noteSkippedNames(inner);
    }
    break;
  case ast::StmtKind::Try:
    for (const ast::Stmt *inner : llvm::cast<ast::TryStmt>(stmt)->body)
      if (llvm::isa<ast::ImportStmt, ast::ImportFromStmt>(inner))
        loadImports(inner, position);
    noteSkippedNames(stmt);
    break;
  default:
    noteSkippedNames(stmt);
  }
}

void Interpreter::loadImports(const ast::Stmt *stmt, size_t position) {
  bindImport(stmt,
             [&](llvm::StringRef name, Value value) { globals_.bind(name, position, value); });
}

// What `import` makes of a dotted name.
Value Interpreter::importModule(llvm::StringRef module, Span span) {
  if (std::optional<llvm::StringRef> space = spaceOfModule(module))
    return heap_.make<NamespaceObject>(*space);
  return heap_.make<OpaqueObject>(module.str(), span);
}

void Interpreter::bindImport(const ast::Stmt *stmt,
                             llvm::function_ref<void(llvm::StringRef, Value)> bind) {
  if (const auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt)) {
    for (const ast::ImportAlias &alias : import->names) {
      llvm::StringRef first = alias.name.split('.').first;
      // `import a.b` binds a; `import a.b as c` binds a.b.
      if (alias.asName.empty())
        bind(first, importModule(first, alias.span));
      else
        bind(alias.asName, importModule(alias.name, alias.span));
    }
    return;
  }
  const auto &from = *llvm::cast<ast::ImportFromStmt>(stmt);
  std::string module = std::string(from.level, '.') + from.module.str();
  std::optional<llvm::StringRef> space = spaceOfModule(module);
  for (const ast::ImportAlias &alias : from.names) {
    if (alias.name == "*" && !space) {
      globals_.noteUnknownStarImport(module);
    } else if (alias.name == "*") {
      for (llvm::StringRef name : starNames(module))
        bind(name, namespaceMember(*space, name, alias.span));
    } else {
      Value value = importedMember(module, alias.name, alias.span);
      bind(alias.asName.empty() ? alias.name : alias.asName, value);
    }
  }
}

// What `from module import name` makes of the name: a module, a member, or something unknown.
Value Interpreter::importedMember(llvm::StringRef module, llvm::StringRef name, Span span) {
  // `tilelang.jit` is a function and a module; the function counts.
  if (std::optional<llvm::StringRef> space = spaceOfModule(module))
    if (Value member = namespaceMember(*space, name, span))
      return member;
  return importModule((module + "." + name).str(), span);
}

// Remembers the names that code which is not run would have bound, for messages.
void Interpreter::noteSkippedNames(const ast::Stmt *stmt) {
  auto noteAll = [&](ast::StmtList stmts) {
    for (const ast::Stmt *inner : stmts)
      noteSkippedNames(inner);
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
    globals_.noteSkipped(name, stmt->span);
}

Value Interpreter::lookUp(llvm::StringRef name, Span span) {
  bool isInnermost = true;
  for (Env *env = env_; env; env = env->parent) {
    bool isHidden = env->isClass && !isInnermost;
    isInnermost = false;
    if (env->globals.contains(name))
      break;
    auto found = isHidden ? env->names.end() : env->names.find(name);
    if (found != env->names.end())
      return found->second;
  }
  if (ModuleScope::Binding *binding = globals_.find(name, globalLimit_))
    return readBinding(name, *binding);
  if (Value value = namespaceMember("", name, span))
    return value;
  return undefinedName(name, span);
}

Value Interpreter::readBinding(llvm::StringRef name, ModuleScope::Binding &binding) {
  if (!binding.thunk)
    return binding.value;
  // A thunk sees only earlier bindings, so it cannot come back here.
  size_t position = binding.position;
  bool ran = runThunk(binding.thunk, position);
  ModuleScope::Binding *after = globals_.bindingAt(name, position);
  // One that failed is not run, and not reported, again.
  if (!ran || after->thunk) {
    after->thunk = nullptr;
    after->value = Value::poison();
  }
  return after->value;
}

// Runs an assignment or a class of the top level with the names as they stood there.
bool Interpreter::runThunk(const ast::Stmt *stmt, size_t position) {
  Env *savedEnv = std::exchange(env_, nullptr);
  KernelBuilder *savedKernel = std::exchange(kernel_, nullptr);
  size_t savedLimit = std::exchange(globalLimit_, position);
  size_t savedThunk = std::exchange(thunkPosition_, position);
  Flow flow = exec(stmt);
  thunkPosition_ = savedThunk;
  globalLimit_ = savedLimit;
  kernel_ = savedKernel;
  env_ = savedEnv;
  return flow == Flow::Normal;
}

Value Interpreter::undefinedName(llvm::StringRef name, Span span) {
  fail(DiagId::UndefinedName, span, name);
  std::vector<std::string> names = globals_.names(globalLimit_);
  for (Env *env = env_; env; env = env->parent)
    for (llvm::StringRef local : env->names.keys())
      names.push_back(local.str());
  llvm::sort(names);
  // One letter is as near to any other.
  if (name.size() > 2)
    suggest(name, names, span);
  if (std::optional<Span> skipped = globals_.skippedAt(name))
    note(*skipped, ("'" + name + "' is bound in code of the top level that is not run").str());
  for (const std::string &module : globals_.unknownStarImports())
    note(Span(), "'from " + module + " import *' is not followed");
  return Value();
}

FunctionObject *Interpreter::findFunction(llvm::StringRef name) {
  ModuleScope::Binding *binding = globals_.find(name, SIZE_MAX);
  return binding && !binding->thunk ? binding->value.as<FunctionObject>() : nullptr;
}

} // namespace tilescope::frontend
