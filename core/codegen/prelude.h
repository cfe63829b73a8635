// Device helpers that emitted kernels call. Only those that a module uses are printed.
#pragma once

#include "core/codegen/wgmma_helper.h"

#include "llvm/ADT/StringRef.h"

#include <bitset>
#include <cstdint>
#include <map>
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
  std::string call(const WgmmaHelper &helper);
  bool has(Helper helper) const { return bits_.test(static_cast<size_t>(helper)); }
  // Those of products of warp groups, by name.
  const std::map<std::string, WgmmaHelper> &products() const { return products_; }

private:
  std::bitset<128> bits_;
  std::map<std::string, WgmmaHelper> products_;
};

} // namespace tilescope
