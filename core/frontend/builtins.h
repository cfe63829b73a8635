// Names that a kernel file finds without defining them, and how their functions take arguments.
//
// Every one is a line of builtins.def: its namespace, its name, the handler and the parameters
// that it takes. `x?` may be left out, `*x` takes any number, what follows a bare `*` is given by
// keyword only.
#pragma once

#include "core/frontend/value.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilescope::frontend {

class Evaluation;

struct Arg {
  Value value; // invalid: not given
  Span span;   // of the argument; of the call when not given
};

// The arguments of one call of a builtin, by parameter name.
class Args {
public:
  Args(Evaluation &evaluation, const BuiltinInfo &info, Value self, Span span)
      : evaluation(evaluation), info(info), self(self), span(span) {}

  // The argument of a declared parameter.
  const Arg &at(llvm::StringRef param) const;
  Value operator[](llvm::StringRef param) const { return at(param).value; }
  // The same by its place, for a handler of names that call their parameters differently.
  const Arg &nth(size_t place) const { return named_[place].second; }
  // Neither left out nor `None`.
  bool has(llvm::StringRef param) const { return at(param).value && !at(param).value.isNone(); }
  Span spanOf(llvm::StringRef param) const { return at(param).span; }

  // Typed access; nullopt (null) after reporting that the argument is something else. `fallback`
  // is for an argument that is not given, or `None`.
  std::optional<int64_t> integer(llvm::StringRef param, int64_t fallback = 0) const;
  std::optional<double> number(llvm::StringRef param, double fallback = 0) const;
  std::optional<bool> boolean(llvm::StringRef param, bool fallback = false) const;
  std::optional<std::string> text(llvm::StringRef param, std::string fallback = "") const;
  std::optional<DType> dtype(llvm::StringRef param, DType fallback = DType::float32()) const;
  std::optional<std::vector<int64_t>> integers(llvm::StringRef param) const; // a list
  // Reports that an argument has the wrong type.
  Value wrongType(llvm::StringRef param, llvm::StringRef wanted) const;
  // Reports arguments that are given although nothing is made of them yet.
  bool refuse(llvm::ArrayRef<llvm::StringRef> params) const;

  // All that a `**` parameter takes, behind the declared parameters.
  llvm::ArrayRef<std::pair<llvm::StringRef, Arg>> keywords() const;

  std::string callee() const; // "T.copy", "list.append"

  Evaluation &evaluation;
  const BuiltinInfo &info;
  Value self;                     // the object of a method
  Span span;                      // of the call
  llvm::SmallVector<Arg, 4> rest; // of the `*` parameter

private:
  friend bool bindBuiltinArguments(Args &args, llvm::ArrayRef<std::pair<llvm::StringRef, Arg>>);
  llvm::SmallVector<std::pair<llvm::StringRef, Arg>, 8> named_; // in the order of the parameters
};

using BuiltinHandler = Value (*)(Args &args);

struct BuiltinInfo {
  llvm::StringRef space; // "T", "tilelang", "math", "", or the type of a method: "list", "Expr"
  llvm::StringRef name;
  BuiltinHandler handler; // null: TileLang has it, we do not yet
  llvm::StringRef params;
  // Of what we do not have, as not_yet.def says them.
  llvm::StringRef targets = "";
  llvm::StringRef instead = "";
  llvm::StringRef ownModule = "";  // of own_modules.def, which has it
  bool isLanewise = false;         // a call with vectors is one for each lane of them
  llvm::StringRef ignoredFor = ""; // why a call builds nothing; "": it does
};

// Reports that a name without a handler is not supported yet, for which targets TileLang has it and
// what a kernel may write instead.
Value failNotYet(Evaluation &evaluation, const BuiltinInfo &info, Span span);

// Null if there is no such name.
const BuiltinInfo *findBuiltin(llvm::StringRef space, llvm::StringRef name);
// All of one namespace, in the order of builtins.def.
std::vector<const BuiltinInfo *> builtinsOf(llvm::StringRef space);
// The name in `space` that is spelled most like `name`; empty if none is close.
llvm::StringRef closestName(llvm::StringRef space, llvm::StringRef name);

// Sorts arguments (with an empty name: positional) to the parameters of `args.info`; reports what
// does not fit.
bool bindBuiltinArguments(Args &args, llvm::ArrayRef<std::pair<llvm::StringRef, Arg>> given);

// `isinstance(object, type)`, of one type.
bool isInstance(const Value &object, const Value &type);
// Sorts in place by the arguments `key` and `reverse`.
bool sortValues(Args &args, Values &items);
// Adds what the arguments of `dict(...)` or `dict.update(...)` hold.
bool updateDict(Args &args, DictObject &dict);

// A tensor of the arguments `shape` and `dtype` at a pointer.
Value tensorAt(Args &args, Value pointer, Span span);

#define BUILTIN(space, name, handler, params) Value handler(Args &args);
#include "core/frontend/builtins.def"

} // namespace tilescope::frontend
