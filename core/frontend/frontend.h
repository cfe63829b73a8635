// From a TileLang kernel file to a tile-level module.
//
//   FILE[:FUNCTION] --set M=1024 --set dtype=float16
//
// The file's Python is evaluated here, within limits; nothing else runs. FUNCTION is a function
// that `@tilelang.jit` decorates, a bare `@T.prim_func`, or a nested one by dotted path.
#pragma once

#include "core/frontend/limits.h"
#include "core/ir/module.h"
#include "core/support/diagnostics.h"
#include "core/syntax/ast.h"
#include "core/target/target.h"

#include "llvm/ADT/ArrayRef.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope {

enum class KernelStyle : uint8_t {
  Lazy,     // a function that returns a prim_func
  Eager,    // a jitted function that launches itself
  PrimFunc, // `@T.prim_func` at the top level
};

struct KernelParameter {
  std::string name;
  std::string annotation;  // source text; "" if it has none
  std::string defaultText; // source text; "" if it has none
  bool hasDefault = false;
  bool isConst = false; // a dimension named by T.const: no parameter, but given the same way
};

struct KernelInfo {
  std::string path; // "matmul", "make.main"
  KernelStyle style = KernelStyle::Lazy;
  std::vector<KernelParameter> parameters; // what `--set` may name, tensors left out
  std::vector<std::string> tensors;        // of an eager kernel: `--set` may give their extents
  Span span;                               // of the name
};

// The kernels of a file, in its order.
std::vector<KernelInfo> listKernels(const ast::Module &module, const SourceFiles &files);

// The text of a file that an import may name; nullopt: there is none.
using SourceReader = std::function<std::optional<std::string>(llvm::StringRef path)>;

// Where files that a kernel file imports are looked for, beside its own folders.
struct ImportSearch {
  SourceReader read; // null: no import is followed
  std::vector<std::string> pythonPath;
};

struct ElaborateRequest {
  FileId file;
  std::string function; // "" if the file has one kernel
  // NAME=VALUE in order, the last of a name counts. VALUE is a Python literal; `true`, `false` and
  // `none` too; another bare word is a string. A tensor of an eager kernel is given by its extents.
  llvm::ArrayRef<std::pair<std::string, std::string>> arguments;
  EvalLimits limits;
  ImportSearch imports;
  const Target *device = nullptr; // of which the file may ask; null: nobody answers
  const std::atomic<bool> *stop = nullptr;
};

// One parameter as used.
struct ElaboratedParameter {
  std::string name;
  // "int", "float", "bool", "str", "tuple", "NoneType"; "dtype" too for a string that names one
  std::string type;
  std::string value;          // a Python literal
  std::string defaultValue;   // source text; "" if it has none
  std::string defaultLiteral; // what that came to; "" if it has none
};

struct Elaborated {
  const Module *module = nullptr; // null after an error
  std::string function;           // path of the kernel
  std::vector<ElaboratedParameter> parameters;
  // pass_configs of the kernel as {"TL_ENABLE_FAST_MATH", "True"}, in order.
  std::vector<std::pair<std::string, std::string>> passConfigs;
};

// Errors are reported to `diagnostics`. `files` gets a file for each argument, so that messages
// can point into it.
Elaborated elaborate(Context &context, const ElaborateRequest &request, SourceFiles &files,
                     Diagnostics &diagnostics);

} // namespace tilescope
