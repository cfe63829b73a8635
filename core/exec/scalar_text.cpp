#include "core/exec/scalar_text.h"

#include "core/exec/numbers.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

llvm::Error wrongScalar(llvm::StringRef name, DType dtype, llvm::StringRef text,
                        llvm::StringRef why) {
  return llvm::createStringError("'" + name.str() + "' is " + dtype.name() + ", which " +
                                 why.str() + ", not '" + text.str() + "'");
}

// Unsigned 64-bit values are kept as the same bits.
llvm::Expected<Number> parseInteger(llvm::StringRef name, DType dtype, llvm::StringRef text) {
  bool isNegative = text.starts_with("-");
  llvm::APInt magnitude;
  if (text.drop_front(isNegative ? 1 : 0).getAsInteger(0, magnitude))
    return wrongScalar(name, dtype, text, "wants an integer");
  constexpr unsigned Wide = 128;
  unsigned bits = std::max(Wide, magnitude.getBitWidth() + 1);
  llvm::APInt value = magnitude.zext(bits);
  if (isNegative)
    value.negate();
  unsigned own = dtype.bits;
  llvm::APInt least =
      dtype.isUnsigned() ? llvm::APInt(bits, 0) : llvm::APInt::getSignedMinValue(own).sext(bits);
  llvm::APInt most = dtype.isUnsigned() ? llvm::APInt::getMaxValue(own).zext(bits)
                                        : llvm::APInt::getSignedMaxValue(own).zext(bits);
  if (value.slt(least) || value.sgt(most))
    return wrongScalar(name, dtype, text,
                       "holds " + llvm::toString(least, 10, /*Signed=*/true) + " to " +
                           llvm::toString(most, 10, /*Signed=*/true));
  return Number{.i = static_cast<int64_t>(value.extractBitsAsZExtValue(64, 0))};
}

} // namespace

llvm::Expected<Number> parseScalar(llvm::StringRef name, DType dtype, llvm::StringRef text) {
  if (dtype.isBool()) {
    std::string word = text.lower();
    if (word != "true" && word != "false" && word != "1" && word != "0")
      return wrongScalar(name, dtype, text, "wants true or false");
    return Number{.i = word == "true" || word == "1"};
  }
  if (dtype.isInteger())
    return parseInteger(name, dtype, text);
  double value = 0;
  if (text.getAsDouble(value))
    return wrongScalar(name, dtype, text, "wants a number");
  return Number{.f = roundTo(dtype, value)};
}

uint64_t scalarBits(DType dtype, Number value) {
  return dtype.isFloat() ? encodeFloat(dtype, value.f) : static_cast<uint64_t>(value.i);
}

} // namespace tilescope
