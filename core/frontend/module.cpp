#include "core/frontend/module.h"

#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/functions.h"
#include "core/frontend/statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

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
      .Cases("torch", "torch.cuda", "torch.version", "tilelang.carver.arch.driver", module)
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

static void loadImports(Evaluation &evaluation, const ast::Stmt *stmt, size_t position) {
  bindImport(evaluation, stmt, [&](llvm::StringRef name, Value value) {
    evaluation.names.globals.bind(name, position, value);
  });
}

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
    evaluation.names.globals.noteSkipped(name, stmt->span);
}

static void loadStatement(Evaluation &evaluation, const ast::Stmt *stmt, size_t position) {
  auto bindThunks = [&](llvm::ArrayRef<const ast::Expr *> targets) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    for (const ast::Expr *target : targets)
      collectTargetNames(target, names);
    for (llvm::StringRef name : names)
      evaluation.names.globals.bindThunk(name, position, stmt);
  };
  switch (stmt->kind) {
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom:
    loadImports(evaluation, stmt, position);
    break;
  case ast::StmtKind::FunctionDef: {
    const auto &def = *llvm::cast<ast::FunctionDefStmt>(stmt);
    evaluation.names.globals.bind(def.name, position, makeFunction(evaluation, def, true));
    break;
  }
  case ast::StmtKind::ClassDef:
    evaluation.names.globals.bindThunk(llvm::cast<ast::ClassDefStmt>(stmt)->name, position, stmt);
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
        loadImports(evaluation, inner, position);
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

// What `import` makes of a dotted name.
static Value importModule(Evaluation &evaluation, llvm::StringRef module, Span span) {
  if (std::optional<llvm::StringRef> space = spaceOfModule(module))
    return evaluation.heap.make<NamespaceObject>(*space);
  return evaluation.heap.make<OpaqueObject>(module.str(), span);
}

// What `from module import name` makes of the name: a module, a member, or something unknown.
static Value importedMember(Evaluation &evaluation, llvm::StringRef module, llvm::StringRef name,
                            Span span) {
  // `tilelang.jit` is a function and a module; the function counts.
  if (std::optional<llvm::StringRef> space = spaceOfModule(module))
    if (Value member = namespaceMember(evaluation, *space, name, span))
      return member;
  return importModule(evaluation, (module + "." + name).str(), span);
}

void bindImport(Evaluation &evaluation, const ast::Stmt *stmt,
                llvm::function_ref<void(llvm::StringRef, Value)> bind) {
  if (const auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt)) {
    for (const ast::ImportAlias &alias : import->names) {
      llvm::StringRef first = alias.name.split('.').first;
      // `import a.b` binds a; `import a.b as c` binds a.b.
      if (alias.asName.empty())
        bind(first, importModule(evaluation, first, alias.span));
      else
        bind(alias.asName, importModule(evaluation, alias.name, alias.span));
    }
    return;
  }
  const auto &from = *llvm::cast<ast::ImportFromStmt>(stmt);
  std::string module = std::string(from.level, '.') + from.module.str();
  std::optional<llvm::StringRef> space = spaceOfModule(module);
  for (const ast::ImportAlias &alias : from.names) {
    if (alias.name == "*" && !space) {
      evaluation.names.globals.noteUnknownStarImport(module);
    } else if (alias.name == "*") {
      for (llvm::StringRef name : starNames(module))
        bind(name, namespaceMember(evaluation, *space, name, alias.span));
    } else {
      Value value = importedMember(evaluation, module, alias.name, alias.span);
      bind(alias.asName.empty() ? alias.name : alias.asName, value);
    }
  }
}

// Runs an assignment or a class of the top level with the names as they stood there.
static bool runThunk(Evaluation &evaluation, const ast::Stmt *stmt, size_t position) {
  Names &names = evaluation.names;
  llvm::SaveAndRestore<Env *> env(names.env, nullptr);
  llvm::SaveAndRestore<KernelBuilder *> kernel(evaluation.kernel, nullptr);
  llvm::SaveAndRestore limit(names.globalLimit, position);
  llvm::SaveAndRestore thunk(names.thunkPosition, position);
  return exec(evaluation, stmt) == Flow::Normal;
}

static Value readBinding(Evaluation &evaluation, llvm::StringRef name,
                         ModuleScope::Binding &binding) {
  if (!binding.thunk)
    return binding.value;
  // A thunk sees only earlier bindings, so it cannot come back here.
  size_t position = binding.position;
  bool ran = runThunk(evaluation, binding.thunk, position);
  ModuleScope::Binding *after = evaluation.names.globals.bindingAt(name, position);
  // One that failed is not run, and not reported, again.
  if (!ran || after->thunk) {
    after->thunk = nullptr;
    after->value = Value::poison();
  }
  return after->value;
}

static Value undefinedName(Evaluation &evaluation, llvm::StringRef name, Span span) {
  evaluation.fail(DiagId::UndefinedName, span, name);
  std::vector<std::string> names = evaluation.names.globals.names(evaluation.names.globalLimit);
  for (Env *env = evaluation.names.env; env; env = env->parent)
    for (llvm::StringRef local : env->names.keys())
      names.push_back(local.str());
  llvm::sort(names);
  // One letter is as near to any other.
  if (name.size() > 2)
    evaluation.suggest(name, names, span);
  if (std::optional<Span> skipped = evaluation.names.globals.skippedAt(name))
    evaluation.note(*skipped,
                    ("'" + name + "' is bound in code of the top level that is not run").str());
  for (const std::string &module : evaluation.names.globals.unknownStarImports())
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
  if (ModuleScope::Binding *binding =
          evaluation.names.globals.find(name, evaluation.names.globalLimit))
    return readBinding(evaluation, name, *binding);
  if (Value value = namespaceMember(evaluation, "", name, span))
    return value;
  return undefinedName(evaluation, name, span);
}

FunctionObject *findFunction(Evaluation &evaluation, llvm::StringRef name) {
  ModuleScope::Binding *binding = evaluation.names.globals.find(name, SIZE_MAX);
  return binding && !binding->thunk ? binding->value.as<FunctionObject>() : nullptr;
}

} // namespace tilescope::frontend
