// Device helpers that emitted kernels call. Only those that a module uses are printed.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <bitset>
#include <cstdint>
#include <string>

namespace tilescope {

enum class Helper : uint8_t {
#define HELPER(Name, printed, text) Name,
#include "core/codegen/prelude.def"
};

// The C++ name.
llvm::StringRef nameOf(Helper helper);
// Its definition, with a comment; ends with a newline.
llvm::StringRef textOf(Helper helper);
bool isHelperName(llvm::StringRef name);

// The helpers a module needs. Types are helpers too (their text is an include or an alias).
class HelperSet {
public:
  // The helper, and those that its text calls.
  void add(Helper helper);
  // The name of a helper that is added with this.
  std::string call(Helper helper);
  bool has(Helper helper) const { return bits_.test(static_cast<size_t>(helper)); }

private:
  std::bitset<128> bits_;
};

} // namespace tilescope
