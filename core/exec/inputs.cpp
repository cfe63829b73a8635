#include "core/exec/inputs.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <limits>

namespace tilescope {

namespace {

void setReal(Tensor &tensor, int64_t index, double value) {
  Number number;
  if (tensor.isFloat())
    number.f = value;
  else
    number.i = static_cast<int64_t>(value);
  tensor.set(index, number);
}

} // namespace

SeededNumbers::SeededNumbers(uint64_t seed, llvm::StringRef name)
    : random_(seed * 0x9e3779b97f4a7c15ULL ^ llvm::xxh3_64bits(name)) {}

double SeededNumbers::unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

int64_t SeededNumbers::below(uint64_t count) { return static_cast<int64_t>(random_() % count); }

void fillSeeded(Tensor &tensor, uint64_t seed, llvm::StringRef name) {
  SeededNumbers random(seed, name);
  for (int64_t index = 0; index < tensor.size(); ++index) {
    double unit = random.unit();
    if (tensor.isFloat())
      setReal(tensor, index, 2 * unit - 1);
    else if (tensor.dtype().isBool())
      setReal(tensor, index, unit < 0.5 ? 0 : 1);
    else
      setReal(tensor, index,
              tensor.dtype().isUnsigned() ? std::floor(unit * 8) : std::floor(unit * 8) - 4);
  }
}

llvm::Error fillAs(Tensor &tensor, llvm::StringRef how, uint64_t seed, llvm::StringRef name) {
  // Integers are small whole numbers anyhow.
  if (how == "random" || (how == "integers" && !tensor.isFloat())) {
    fillSeeded(tensor, seed, name);
    return llvm::Error::success();
  }
  if (how == "integers") {
    SeededNumbers random(seed, name);
    for (int64_t index = 0; index < tensor.size(); ++index)
      setReal(tensor, index, static_cast<double>(random.below(8)) - 4);
    return llvm::Error::success();
  }
  double value = 0;
  bool isRange = how == "arange";
  if (how == "ones")
    value = 1;
  else if (how == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (how != "zeros" && !isRange && how.getAsDouble(value))
    return llvm::createStringError("cannot fill '" + name.str() + "' with '" + how.str() +
                                   "': random, integers, zeros, ones, arange, nan or a number");
  for (int64_t index = 0; index < tensor.size(); ++index)
    setReal(tensor, index, isRange ? static_cast<double>(index) : value);
  return llvm::Error::success();
}

} // namespace tilescope
