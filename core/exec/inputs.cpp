#include "core/exec/inputs.h"

#include "core/exec/npy.h"
#include "core/exec/scalar_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
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

llvm::Error fillFromFile(Tensor &tensor, llvm::StringRef path, llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("cannot read '" + path.str() +
                                   "': " + file.getError().message());
  if (llvm::Error error = readNpy(tensor, (*file)->getBuffer()))
    return llvm::createStringError("cannot fill '" + name.str() + "' from '" + path.str() +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

// Floats from LOW up to HIGH, integers with both ends.
llvm::Error fillInRange(Tensor &tensor, llvm::StringRef how, uint64_t seed, llvm::StringRef name) {
  auto [low, high] = how.split("..");
  llvm::Expected<Number> least = parseScalar(name, tensor.dtype(), low);
  if (!least)
    return least.takeError();
  llvm::Expected<Number> most = parseScalar(name, tensor.dtype(), high);
  if (!most)
    return most.takeError();
  if (tensor.isFloat() ? !(least->f <= most->f) : most->i < least->i)
    return llvm::createStringError("cannot fill '" + name.str() + "' with '" + how.str() +
                                   "': the range is empty");
  SeededNumbers random(seed, name);
  uint64_t count = static_cast<uint64_t>(most->i) - static_cast<uint64_t>(least->i) + 1;
  for (int64_t index = 0; index < tensor.size(); ++index)
    if (tensor.isFloat())
      setReal(tensor, index, least->f + (most->f - least->f) * random.unit());
    else
      tensor.set(index, Number{.i = least->i + (count == 0 ? 0 : random.below(count))});
  return llvm::Error::success();
}

// All elements, in row-major order.
llvm::Error fillWithList(Tensor &tensor, llvm::StringRef how, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> texts;
  how.split(texts, ',');
  if (static_cast<int64_t>(texts.size()) != tensor.size())
    return llvm::createStringError("'" + name.str() + "' has " + std::to_string(tensor.size()) +
                                   " elements, --fill gives " + std::to_string(texts.size()));
  for (auto [index, text] : llvm::enumerate(texts)) {
    llvm::Expected<Number> value = parseScalar(name, tensor.dtype(), text.trim());
    if (!value)
      return value.takeError();
    tensor.set(static_cast<int64_t>(index), *value);
  }
  return llvm::Error::success();
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
  if (how.consume_front("@"))
    return fillFromFile(tensor, how, name);
  if (how.contains(".."))
    return fillInRange(tensor, how, seed, name);
  if (how.contains(','))
    return fillWithList(tensor, how, name);
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
  bool isCount = how == "arange";
  if (how == "ones")
    value = 1;
  else if (how == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (how != "zeros" && !isCount && how.getAsDouble(value))
    return llvm::createStringError("cannot fill '" + name.str() + "' with '" + how.str() +
                                   "': random, integers, zeros, ones, arange, nan, a number, "
                                   "LOW..HIGH, a list of numbers or @FILE.npy");
  for (int64_t index = 0; index < tensor.size(); ++index)
    setReal(tensor, index, isCount ? static_cast<double>(index) : value);
  return llvm::Error::success();
}

} // namespace tilescope
