// C++ names: types of elements, and identifiers that clash with nothing.
#pragma once

#include "core/support/dtype.h"
#include "core/support/fresh_names.h"

#include <string>
#include <vector>

namespace tilescope {

// "half", "float", "i8": as the prelude defines them. Four-bit elements are stored in pairs as
// "u8".
std::string cudaTypeName(DType dtype);
// What one value is computed and kept in: four-bit integers are "int", e2m1 is "float".
std::string cudaValueType(DType dtype);

// Identifiers in use, by nested scope. The first that asks gets the name as it is; a later one, and
// a C++ keyword, gets "_1", "_2", ... appended: the same program gives the same names.
class CudaNameScope {
public:
  CudaNameScope() { scopes_.emplace_back(); }
  void enter() { scopes_.emplace_back(); }
  void leave();
  std::string declare(llvm::StringRef wanted);

private:
  FreshNames names_;
  std::vector<std::vector<std::string>> scopes_; // the names of each
};

} // namespace tilescope
