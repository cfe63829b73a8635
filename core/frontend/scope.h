// Where names live: one `Env` a function call, one `ModuleScope` for the top level of a file.
#pragma once

#include "core/frontend/value.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

#include <memory>
#include <optional>

namespace tilescope::frontend {

// The names of one call, class body or comprehension.
struct Env {
  Env *parent = nullptr; // the enclosing function's; null: the top level is next
  llvm::StringMap<Value> names;
  llvm::StringSet<> globals;   // declared `global`
  llvm::StringSet<> nonlocals; // declared `nonlocal`
  // Statements build IR: `range` is a device loop, assigned expressions are bound to variables.
  bool isKernel = false;
  // Names assigned in a class body are not visible to the functions in it.
  bool isClass = false;
  const FunctionObject *function = nullptr; // whose call it is of; null: of none
};

// What an import binds: a module or, with `member`, a name of it.
struct ImportedName {
  std::string module; // "tilelang.language"; "..layouts" with the dots of a relative import
  std::string member; // "": the module itself
  Span span;
  bool bindsFirst = false; // `import a.b`, which binds `a`
};

// The top level of a file. `def` and imports of what builtins.def has are bound when the file is
// loaded; other imports are followed, and an assignment or a class is run, when one of the names is
// first read; anything else is not run.
//
// A thunk sees the names as they stood at its line, a function as they stand at the end of the
// file:
//
//     block = 64
//     block = block * 2      reads the binding above
//     def kernel(): block    reads 128
class ModuleScope {
public:
  struct Binding {
    bool isFinal() const { return !thunk && !imported; }

    size_t position = 0; // index of the statement at the top level
    // Of which at most one is there; where none is, `value` is final.
    const ast::Stmt *thunk = nullptr;
    std::optional<ImportedName> imported;
    Value value;
  };

  // `path` as messages name the file; relative imports start from it.
  explicit ModuleScope(std::string path) : path_(std::move(path)) {}
  const std::string &path() const { return path_; }

  void bind(llvm::StringRef name, size_t position, Value value);
  void bindThunk(llvm::StringRef name, size_t position, const ast::Stmt *stmt);
  void bindImport(llvm::StringRef name, size_t position, ImportedName imported);
  // The last binding that is visible, or null. Stable until the next bind.
  Binding *find(llvm::StringRef name);
  // Of visible bindings, in any order.
  std::vector<std::string> names() const;
  // The binding that statement `position` makes; null if it makes none.
  Binding *bindingAt(llvm::StringRef name, size_t position);

  void noteSkipped(llvm::StringRef name, Span span) { skipped_.try_emplace(name, span); }
  // Where code that is not run assigns `name`.
  std::optional<Span> skippedAt(llvm::StringRef name) const;

  void noteUnknownStarImport(llvm::StringRef module) { starImports_.push_back(module.str()); }
  llvm::ArrayRef<std::string> unknownStarImports() const { return starImports_; }

  size_t limit = SIZE_MAX; // bindings from here on are not visible
  size_t running = 0;      // the statement that is running

private:
  std::string path_;
  llvm::StringMap<std::vector<Binding>> bindings_; // each ascending by position
  llvm::StringMap<Span> skipped_;
  std::vector<std::string> starImports_;
};

// The names at the place where an evaluation stands.
struct Names {
  // Whether the innermost scope belongs to a kernel.
  bool isKernelScope() const { return env && env->isKernel; }
  // The innermost binding of a name inside functions; null if there is none.
  Value *findLocal(llvm::StringRef name) const;
  // The mutable variable of the kernel that `name` is bound to, or null.
  BufferObject *variableNamed(llvm::StringRef name) const;
  // The reference that `name` is bound to, by a T.Ref parameter of a macro, or null.
  RegionObject *referenceNamed(llvm::StringRef name) const;

  Closure here() const { return {env, globals}; }

  ModuleScope *globals = nullptr; // of the file whose code is running
  Env *env = nullptr;             // innermost; null at the top level
  std::vector<std::unique_ptr<Env>> envs;
};

// While it lives, names are looked up from another place.
class StandAt {
public:
  StandAt(Names &names, Closure place)
      : env_(names.env, place.env), globals_(names.globals, place.globals) {}

private:
  llvm::SaveAndRestore<Env *> env_;
  llvm::SaveAndRestore<ModuleScope *> globals_;
};

// The names that an assignment target binds.
void collectTargetNames(const ast::Expr *target, llvm::SmallVectorImpl<llvm::StringRef> &names);

} // namespace tilescope::frontend
