#include "core/frontend/imports.h"

#include "core/frontend/assignment.h"
#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/iteration.h"
#include "core/frontend/module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
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
      .Case("tvm.te", module)
      .Cases("tvm.tl", "tvm.tl.autotuner", "tilelang")
      .Case("tvm.tl.language", "T")
      .Cases("tvm.tirx", "tvm.tir", "tilelang.tvm.tirx", "tvm.tirx")
      .StartsWith("tilelang.cuda.intrinsics", "tilelang.cuda.intrinsics")
      .StartsWith("tilelang.intrinsics", "tilelang.cuda.intrinsics")
      .Case("tilelang.tools.cuda.iket", module)
      .Cases("torch", "torch.cuda", "torch.version", "tilelang.carver.arch.driver", module)
      .Cases("math", "functools", "itertools", "dataclasses", "enum", module)
      .Case("collections", module)
      .Default(std::nullopt);
}

// Whether builtins.def stands for the package, whose own files are compilers' insides.
bool isOurs(llvm::StringRef module) { return spaceOfModule(module.split('.').first).has_value(); }

// What `from module import *` binds of what builtins.def has.
std::vector<std::string> starNamesOfSpace(llvm::StringRef module) {
  if (module == "tilelang.autotuner" || module == "tvm.tl.autotuner")
    return {"autotune"};
  if (module == "enum")
    return {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto", "unique"};
  std::vector<std::string> names;
  for (const BuiltinInfo *info : builtinsOf(*spaceOfModule(module)))
    names.push_back(info->name.str());
  return names;
}

// Binds what the file binds, in its own scope. What of it cannot be read is left out, as it may
// serve the host alone.
void loadFile(Evaluation &evaluation, SourceModule &file) {
  if (file.isLoaded)
    return;
  file.isLoaded = true;
  evaluation.spend(file.text.size());
  evaluation.modules.parse(file);
  StandAt topLevel(evaluation.names, {nullptr, &file.scope});
  if (file.syntax)
    loadModule(evaluation, *file.syntax);
}

std::optional<FoundModule> findModule(Evaluation &evaluation, llvm::StringRef name) {
  return isOurs(name) ? std::nullopt : evaluation.modules.find(name, *evaluation.names.globals);
}

Value makeModule(Evaluation &evaluation, FoundModule found) {
  auto *module = evaluation.heap.make<ModuleObject>();
  module->file = found.file;
  module->folder = std::move(found.folder);
  return module;
}

// Of a module: what the file binds, or a submodule. Invalid, without a report, if there is neither.
Value findMember(Evaluation &evaluation, const ModuleObject &module, llvm::StringRef name) {
  if (module.file) {
    loadFile(evaluation, *module.file);
    if (std::optional<Value> value = readTopLevel(evaluation, module.file->scope, name))
      return *value;
  }
  if (std::optional<FoundModule> found = evaluation.modules.findIn(module.folder, name))
    return makeModule(evaluation, std::move(*found));
  // Of a folder without an `__init__.py` nothing but its files is known.
  bool mayBeFolder = !module.file && !module.folder.empty();
  return mayBeFolder ? makeModule(evaluation, {nullptr, module.folder + "/" + name.str()})
                     : Value();
}

// Of `from module import member` too, where the member is one.
Value followModule(Evaluation &evaluation, const ImportedName &imported) {
  llvm::StringRef bound = imported.module;
  if (imported.bindsFirst)
    bound = bound.split('.').first;
  if (std::optional<llvm::StringRef> space = spaceOfModule(bound))
    return evaluation.heap.make<NamespaceObject>(*space);
  const ModuleScope &from = *evaluation.names.globals;
  std::optional<FoundModule> found = imported.bindsFirst
                                         ? evaluation.modules.findFirst(imported.module, from)
                                         : findModule(evaluation, imported.module);
  if (found)
    return makeModule(evaluation, std::move(*found));
  auto *unknown = evaluation.heap.make<OpaqueObject>(bound.str(), imported.span);
  unknown->isUnfound = !isOurs(bound);
  return unknown;
}

// Invalid, without a report, if there is none.
Value memberOfSpace(Evaluation &evaluation, llvm::StringRef space, const ImportedName &imported) {
  if (Value member = namespaceMember(evaluation, space, imported.member, imported.span))
    return member;
  return memberOfOwn(evaluation, space, imported.member);
}

// The names that `from module import *` binds; nullopt: it is not followed.
std::optional<std::vector<std::string>> starNames(Evaluation &evaluation,
                                                  const std::string &module) {
  if (spaceOfModule(module))
    return starNamesOfSpace(module);
  std::optional<FoundModule> found = findModule(evaluation, module);
  if (!found || !found->file)
    return std::nullopt;
  loadFile(evaluation, *found->file);
  std::vector<std::string> names = found->file->scope.names();
  llvm::erase_if(names, [](llvm::StringRef name) { return name.starts_with("_"); });
  llvm::sort(names);
  return names;
}

// Calls `bind` with each name that an import binds.
void forEachImported(Evaluation &evaluation, const ast::Stmt *stmt,
                     llvm::function_ref<void(llvm::StringRef, const ImportedName &)> bind) {
  if (const auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt)) {
    for (const ast::ImportAlias &alias : import->names) {
      bool bindsFirst = alias.asName.empty();
      bind(bindsFirst ? alias.name.split('.').first : alias.asName,
           {alias.name.str(), "", alias.span, bindsFirst});
    }
    return;
  }
  const auto &from = *llvm::cast<ast::ImportFromStmt>(stmt);
  std::string module = std::string(from.level, '.') + from.module.str();
  for (const ast::ImportAlias &alias : from.names) {
    if (alias.name != "*") {
      bind(alias.asName.empty() ? alias.name : alias.asName,
           {module, alias.name.str(), alias.span});
    } else if (std::optional<std::vector<std::string>> names = starNames(evaluation, module)) {
      for (const std::string &name : *names)
        bind(name, {module, name, alias.span});
    } else {
      evaluation.names.globals->noteUnknownStarImport(module);
    }
  }
}

} // namespace

Value memberOfOwn(Evaluation &evaluation, llvm::StringRef space, llvm::StringRef name) {
  SourceModule *own = evaluation.modules.ownModule(space);
  if (!own)
    return Value();
  loadFile(evaluation, *own);
  return readTopLevel(evaluation, own->scope, name).value_or(Value());
}

void bindImports(Evaluation &evaluation, const ast::Stmt *stmt, size_t position) {
  ModuleScope &globals = *evaluation.names.globals;
  forEachImported(evaluation, stmt, [&](llvm::StringRef name, const ImportedName &imported) {
    if (isOurs(imported.module))
      globals.bind(name, position, followImport(evaluation, imported));
    else
      globals.bindImport(name, position, imported);
  });
}

bool execImport(Evaluation &evaluation, const ast::Stmt *stmt) {
  bool isFine = true;
  forEachImported(evaluation, stmt, [&](llvm::StringRef name, const ImportedName &imported) {
    Value value = followImport(evaluation, imported);
    isFine &= static_cast<bool>(value);
    setName(evaluation, name, value);
  });
  return isFine;
}

Value followImport(Evaluation &evaluation, const ImportedName &imported) {
  if (imported.member.empty())
    return followModule(evaluation, imported);
  // `tilelang.jit` is a function and a module; the function counts.
  if (std::optional<llvm::StringRef> space = spaceOfModule(imported.module))
    if (Value member = memberOfSpace(evaluation, *space, imported))
      return member;
  if (std::optional<FoundModule> found = findModule(evaluation, imported.module)) {
    ModuleObject module;
    module.file = found->file;
    module.folder = found->folder;
    return memberOfModule(evaluation, module, imported.member, imported.span);
  }
  llvm::StringRef dot = llvm::StringRef(imported.module).ends_with(".") ? "" : ".";
  return followModule(evaluation,
                      {imported.module + dot.str() + imported.member, "", imported.span});
}

Value memberOfModule(Evaluation &evaluation, const ModuleObject &module, llvm::StringRef name,
                     Span span) {
  if (Value member = findMember(evaluation, module, name))
    return member;
  std::string what = module.file ? module.file->scope.path() : module.folder;
  evaluation.fail(DiagId::UnknownMember, span, what, name);
  if (module.file && module.file->firstError)
    evaluation.note(module.file->firstError->span, module.file->firstError->text);
  else if (module.file)
    evaluation.suggest(name, module.file->scope.names(), span);
  return Value();
}

} // namespace tilescope::frontend
