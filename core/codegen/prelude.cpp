#include "core/codegen/prelude.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

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
static_assert(std::size(Helpers) <= 128, "HelperSet holds 128 helpers");

// The second helper is used by the text of the first.
constexpr std::pair<Helper, Helper> Uses[] = {
    {Helper::LoadI4, Helper::WrapI4},
    {Helper::LoadF4, Helper::DecodeF4},
    {Helper::AtomicMax, Helper::UIntOf},
    {Helper::AtomicMax, Helper::BitCast},
    {Helper::AtomicMin, Helper::UIntOf},
    {Helper::AtomicMin, Helper::BitCast},
    {Helper::AtomicRead, Helper::UIntOf},
    {Helper::AtomicRead, Helper::BitCast},
    {Helper::AtomicWrite, Helper::UIntOf},
    {Helper::AtomicWrite, Helper::BitCast},
    {Helper::AtomicAddHalf2, Helper::Half},
    {Helper::AtomicAddBf162, Helper::Bfloat16},
    {Helper::RedAddF16, Helper::Half},
    {Helper::RedAddBf16, Helper::Bfloat16},
    {Helper::RngInit, Helper::RngBlock},
    {Helper::RngBits, Helper::RngBlock},
    {Helper::RngUniform, Helper::RngBits},
    {Helper::RngUniformF64, Helper::RngBits},
    {Helper::RngNormal, Helper::RngUniform},
    {Helper::RngNormal, Helper::BitCast},
    {Helper::RngNormalF64, Helper::RngBits},
    {Helper::RngNormalF64, Helper::BitCast},
    {Helper::CopyVector, Helper::Word},
    {Helper::CopyVectorOrZero, Helper::Word},
    {Helper::MmaE4m3F32, Helper::MmaFp8ByHalf},
    {Helper::MmaE5m2F32, Helper::MmaFp8ByHalf},
    {Helper::MmaFp8ByHalf, Helper::Half},
    {Helper::MmaFp8ByHalf, Helper::MmaF16F32},
    {Helper::CpAsync, Helper::SharedAddress},
    {Helper::LdmatrixX1, Helper::SharedAddress},
    {Helper::LdmatrixX2, Helper::SharedAddress},
    {Helper::LdmatrixX4, Helper::SharedAddress},
    {Helper::LdmatrixX1Trans, Helper::SharedAddress},
    {Helper::LdmatrixX2Trans, Helper::SharedAddress},
    {Helper::LdmatrixX4Trans, Helper::SharedAddress},
    {Helper::WgmmaOperand, Helper::SharedAddress},
    {Helper::EncodeTensorMap, Helper::TensorMap},
    {Helper::MbarrierInit, Helper::SharedAddress},
    {Helper::MbarrierArriveExpect, Helper::SharedAddress},
    {Helper::MbarrierWait, Helper::SharedAddress},
    {Helper::TmaLoad2D, Helper::SharedAddress},
    {Helper::TmaLoad3D, Helper::SharedAddress},
    {Helper::TmaLoad4D, Helper::SharedAddress},
    {Helper::TmaLoad5D, Helper::SharedAddress},
    {Helper::TmaLoad2D, Helper::TensorMap},
    {Helper::TmaLoad3D, Helper::TensorMap},
    {Helper::TmaLoad4D, Helper::TensorMap},
    {Helper::TmaLoad5D, Helper::TensorMap},
    {Helper::TmaStore2D, Helper::SharedAddress},
    {Helper::TmaStore3D, Helper::SharedAddress},
    {Helper::TmaStore4D, Helper::SharedAddress},
    {Helper::TmaStore5D, Helper::SharedAddress},
    {Helper::TmaStore2D, Helper::TensorMap},
    {Helper::TmaStore3D, Helper::TensorMap},
    {Helper::TmaStore4D, Helper::TensorMap},
    {Helper::TmaStore5D, Helper::TensorMap},
    {Helper::TmaReduce2D, Helper::SharedAddress},
    {Helper::TmaReduce3D, Helper::SharedAddress},
    {Helper::TmaReduce4D, Helper::SharedAddress},
    {Helper::TmaReduce5D, Helper::SharedAddress},
    {Helper::TmaReduce2D, Helper::TensorMap},
    {Helper::TmaReduce3D, Helper::TensorMap},
    {Helper::TmaReduce4D, Helper::TensorMap},
    {Helper::TmaReduce5D, Helper::TensorMap},
    {Helper::TmaReduce2D, Helper::TmaReduction},
    {Helper::TmaReduce3D, Helper::TmaReduction},
    {Helper::TmaReduce4D, Helper::TmaReduction},
    {Helper::TmaReduce5D, Helper::TmaReduction},
    {Helper::UniformAddress, Helper::SharedAddress},
    {Helper::MbarrierArriveAt, Helper::SharedAddress},
    {Helper::TmaMulticast2D, Helper::TmaLoad2D},
    {Helper::TmaMulticast2D, Helper::ClusterRank},
    {Helper::TmaMulticast3D, Helper::TmaLoad3D},
    {Helper::TmaMulticast3D, Helper::ClusterRank},
    {Helper::TmaMulticast4D, Helper::TmaLoad4D},
    {Helper::TmaMulticast4D, Helper::ClusterRank},
    {Helper::TmaMulticast5D, Helper::TmaLoad5D},
    {Helper::TmaMulticast5D, Helper::ClusterRank},
};

} // namespace

llvm::StringRef nameOf(Helper helper) { return Helpers[static_cast<size_t>(helper)].name; }

llvm::StringRef textOf(Helper helper) {
  // The raw strings start with a newline, so that the definitions stand flush in prelude.def.
  return Helpers[static_cast<size_t>(helper)].text.drop_front();
}

bool isHelperName(llvm::StringRef name) {
  return isWgmmaHelperName(name) ||
         llvm::any_of(Helpers, [&](const HelperText &helper) { return helper.name == name; });
}

void HelperSet::add(Helper helper) {
  for (auto [user, used] : Uses)
    if (user == helper)
      add(used);
  bits_.set(static_cast<size_t>(helper));
}

std::string HelperSet::call(Helper helper) {
  add(helper);
  return nameOf(helper).str();
}

std::string HelperSet::call(const WgmmaHelper &helper) {
  for (DType dtype : {helper.a, helper.b, helper.sums})
    if (dtype.bits == 16)
      add(dtype == DType::bfloat16() ? Helper::Bfloat16 : Helper::Half);
  products_.emplace(helper.name(), helper);
  return helper.name();
}

} // namespace tilescope
