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

void HelperSet::add(Helper helper) {
  switch (helper) {
  case Helper::LoadI4:
    add(Helper::WrapI4);
    break;
  case Helper::LoadF4:
    add(Helper::DecodeF4);
    break;
  case Helper::CopyVector:
  case Helper::CopyVectorOrZero:
    add(Helper::Word);
    break;
  case Helper::MmaE4m3F32:
  case Helper::MmaE5m2F32:
    add(Helper::MmaFp8ByHalf);
    break;
  case Helper::MmaFp8ByHalf:
    add(Helper::Half);
    add(Helper::MmaF16F32);
    break;
  case Helper::CpAsync:
  case Helper::LdmatrixX1:
  case Helper::LdmatrixX2:
  case Helper::LdmatrixX4:
  case Helper::LdmatrixX1Trans:
  case Helper::LdmatrixX2Trans:
  case Helper::LdmatrixX4Trans:
    add(Helper::SharedAddress);
    break;
  default:
    break;
  }
  bits_.set(static_cast<size_t>(helper));
}

std::string HelperSet::call(Helper helper) {
  add(helper);
  return nameOf(helper).str();
}

} // namespace tilescope
