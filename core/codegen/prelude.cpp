#include "core/codegen/prelude.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

struct HelperText {
  llvm::StringRef name;
  llvm::StringRef text;
};

constexpr HelperText Helpers[] = {
#define HELPER(Name, printed, text) {printed, text},
#include "core/codegen/prelude.def"
};
static_assert(std::size(Helpers) <= 64, "HelperSet holds 64 helpers");

} // namespace

llvm::StringRef nameOf(Helper helper) { return Helpers[static_cast<size_t>(helper)].name; }

llvm::StringRef textOf(Helper helper) {
  // The raw strings start with a newline, so that the definitions stand flush in prelude.def.
  return Helpers[static_cast<size_t>(helper)].text.drop_front();
}

bool isHelperName(llvm::StringRef name) {
  return llvm::any_of(Helpers, [&](const HelperText &helper) { return helper.name == name; });
}

} // namespace tilescope
