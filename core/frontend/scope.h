// Where names live: one `Env` a function call, one `ModuleScope` for the top level of the file.
#pragma once

#include "core/frontend/value.h"

#include "llvm/ADT/StringSet.h"

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
};

// The top level of a file. Imports and `def` are bound when the file is loaded; an assignment or a
// class is a thunk, run when one of its names is first read; anything else is not run.
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
    size_t position = 0;              // index of the statement at the top level
    const ast::Stmt *thunk = nullptr; // null: `value` is final
    Value value;
  };

  void bind(llvm::StringRef name, size_t position, Value value);
  void bindThunk(llvm::StringRef name, size_t position, const ast::Stmt *stmt);
  // The last binding before `limit`, or null. Stable until the next bind.
  Binding *find(llvm::StringRef name, size_t limit);
  // Of bindings before `limit`, in any order.
  std::vector<std::string> names(size_t limit) const;
  // The binding that statement `position` makes; null if it makes none.
  Binding *bindingAt(llvm::StringRef name, size_t position);

  void noteSkipped(llvm::StringRef name, Span span) { skipped_.try_emplace(name, span); }
  // Where code that is not run assigns `name`.
  std::optional<Span> skippedAt(llvm::StringRef name) const;

  void noteUnknownStarImport(llvm::StringRef module) { starImports_.push_back(module.str()); }
  llvm::ArrayRef<std::string> unknownStarImports() const { return starImports_; }

private:
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

  ModuleScope globals;
  Env *env = nullptr;            // innermost; null at the top level
  size_t globalLimit = SIZE_MAX; // bindings of the top level from here on are not visible
  size_t thunkPosition = 0;      // the statement of the top level that is running
  std::vector<std::unique_ptr<Env>> envs;
};

// The names that an assignment target binds.
void collectTargetNames(const ast::Expr *target, llvm::SmallVectorImpl<llvm::StringRef> &names);

} // namespace tilescope::frontend
