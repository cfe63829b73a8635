#include "core/exec/math_functions.h"

#include "core/exec/numbers.h"

#include "llvm/ADT/bit.h"

#include <cfenv>
#include <cmath>
#include <optional>

namespace tilescope {

namespace {

// As emitted: each of its operations is rounded.
float sigmoidOf(float x) { return 1 / (1 + static_cast<float>(std::exp(-static_cast<double>(x)))); }

double functionOf(MathFn fn, double x, double y) { // flat table
  switch (fn) {
  case MathFn::Exp:
  case MathFn::FastExp:
    return std::exp(x);
  case MathFn::Exp2:
    return std::exp2(x);
  case MathFn::Exp10:
  case MathFn::FastExp10:
    return std::pow(10.0, x);
  case MathFn::Log:
  case MathFn::FastLog:
    return std::log(x);
  case MathFn::Log2:
  case MathFn::FastLog2:
    return std::log2(x);
  case MathFn::Log10:
  case MathFn::FastLog10:
    return std::log10(x);
  case MathFn::Log1p:
    return std::log1p(x);
  case MathFn::Sqrt:
    return std::sqrt(x);
  case MathFn::Rsqrt:
  case MathFn::IeeeRsqrt:
    return 1 / std::sqrt(x);
  case MathFn::FastRcp:
    return 1 / x;
  case MathFn::Sin:
  case MathFn::FastSin:
    return std::sin(x);
  case MathFn::Cos:
  case MathFn::FastCos:
    return std::cos(x);
  case MathFn::Tan:
  case MathFn::FastTan:
    return std::tan(x);
  case MathFn::Asin:
    return std::asin(x);
  case MathFn::Acos:
    return std::acos(x);
  case MathFn::Atan:
    return std::atan(x);
  case MathFn::Sinh:
    return std::sinh(x);
  case MathFn::Cosh:
    return std::cosh(x);
  case MathFn::Tanh:
    return std::tanh(x);
  case MathFn::Asinh:
    return std::asinh(x);
  case MathFn::Acosh:
    return std::acosh(x);
  case MathFn::Atanh:
    return std::atanh(x);
  case MathFn::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case MathFn::Erf:
    return std::erf(x);
  case MathFn::Abs:
    return std::fabs(x);
  case MathFn::Floor:
    return std::floor(x);
  case MathFn::Ceil:
    return std::ceil(x);
  case MathFn::Round:
    return std::round(x);
  case MathFn::RoundEven:
    return std::nearbyint(x);
  case MathFn::Trunc:
    return std::trunc(x);
  case MathFn::Pow:
    return std::pow(x, y);
  case MathFn::Atan2:
    return std::atan2(x, y);
  case MathFn::Hypot:
    return std::hypot(x, y);
  case MathFn::Fmod:
    return std::fmod(x, y);
  case MathFn::CopySign:
    return std::copysign(x, y);
  case MathFn::MaxNan:
    return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
  case MathFn::MinNan:
    return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
  case MathFn::Ldexp:
    return std::scalbn(x, static_cast<int>(y));
  default:
    return x;
  }
}

// ---- Functions that are rounded as they say
// ------------------------------------------------------

enum class IeeeKind : uint8_t { Add, Sub, Mul, Fma, Rcp, Sqrt, Div };

struct IeeeFunction {
  IeeeKind kind;
  int rounding;
};

std::optional<IeeeFunction> ieeeOf(MathFn fn) {
  static_assert(static_cast<int>(MathFn::IeeeDivRd) - static_cast<int>(MathFn::IeeeAddRn) == 27);
  static constexpr int Roundings[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  if (fn < MathFn::IeeeAddRn || fn > MathFn::IeeeDivRd)
    return std::nullopt;
  int at = static_cast<int>(fn) - static_cast<int>(MathFn::IeeeAddRn);
  return IeeeFunction{static_cast<IeeeKind>(at / 4), Roundings[at % 4]};
}

// Volatile: what the compiler computes itself it rounds to nearest.
template <typename T> T computeIeee(IeeeKind kind, llvm::ArrayRef<Number> args) {
  volatile T x = static_cast<T>(args[0].f);
  volatile T y = static_cast<T>(args.size() > 1 ? args[1].f : 1);
  volatile T z = static_cast<T>(args.size() > 2 ? args[2].f : 0);
  volatile T result = 0;
  switch (kind) {
  case IeeeKind::Add:
    result = x + y;
    break;
  case IeeeKind::Sub:
    result = x - y;
    break;
  case IeeeKind::Mul:
    result = x * y;
    break;
  case IeeeKind::Fma:
    result = std::fma(x, y, z);
    break;
  case IeeeKind::Rcp:
    result = y / x;
    break;
  case IeeeKind::Sqrt:
    result = std::sqrt(x);
    break;
  case IeeeKind::Div:
    result = x / y;
    break;
  }
  return result;
}

double ieee(IeeeFunction function, DType dtype, llvm::ArrayRef<Number> args) {
  int usual = std::fegetround();
  std::fesetround(function.rounding);
  double result = dtype.bits == 64 ? computeIeee<double>(function.kind, args)
                                   : computeIeee<float>(function.kind, args);
  std::fesetround(usual);
  return result;
}

double realOf(MathFn fn, DType dtype, llvm::ArrayRef<Number> args) {
  double x = args[0].f;
  double y = args.size() > 1 ? args[1].f : 0;
  if (std::optional<IeeeFunction> function = ieeeOf(fn))
    return ieee(*function, dtype, args);
  if (dtype.bits > 32)
    return fn == MathFn::NextAfter ? std::nextafter(x, y) : functionOf(fn, x, y);
  // Functions of narrow types are those of float.
  if (fn == MathFn::Sigmoid)
    return sigmoidOf(static_cast<float>(x));
  if (fn == MathFn::NextAfter)
    return std::nextafter(static_cast<float>(x), static_cast<float>(y));
  return static_cast<float>(functionOf(fn, x, y));
}

// ---- Integers -----------------------------------------------------------------------------------

// As C++ has it: what is narrower is an int.
int64_t promoted(DType dtype, int64_t value) {
  return dtype.bits >= 64 ? value : wrapTo(dtype.bits < 32 ? DType::int32() : dtype, value);
}

// Towards zero; where C++ leaves it open, zero.
int64_t truncatedQuotient(DType dtype, int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && !dtype.isUnsigned()))
    return b == 0 ? 0 : static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  if (dtype.isUnsigned())
    return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  return a / b;
}

int64_t integerOf(MathFn fn, DType dtype, llvm::ArrayRef<Number> args) {
  int64_t x = args[0].i;
  uint64_t bits = encode(dtype, args[0]);
  switch (fn) {
  case MathFn::Abs:
    return dtype.isUnsigned() || x >= 0 ? x : static_cast<int64_t>(0 - static_cast<uint64_t>(x));
  case MathFn::PopCount:
    return llvm::popcount(bits);
  case MathFn::CountLeadingZeros:
    return dtype.bits >= 64 ? llvm::countl_zero(bits) : llvm::countl_zero(static_cast<uint32_t>(x));
  case MathFn::TruncDiv:
    return truncatedQuotient(dtype, x, args[1].i);
  case MathFn::TruncMod: {
    auto product = static_cast<uint64_t>(truncatedQuotient(dtype, x, args[1].i)) *
                   static_cast<uint64_t>(args[1].i);
    return static_cast<int64_t>(static_cast<uint64_t>(x) - product);
  }
  default:
    return x;
  }
}

bool testOf(MathFn fn, double x) { return fn == MathFn::IsNan ? std::isnan(x) : std::isfinite(x); }

} // namespace

Number mathOf(MathFn fn, DType operand, DType result, llvm::ArrayRef<Number> args) {
  switch (typingOf(fn)) {
  case MathTyping::Test:
    return Number{.i = testOf(fn, args[0].f)};
  case MathTyping::Bits:
    return decode(result, encode(operand, args[0]));
  case MathTyping::Count:
  case MathTyping::Integer:
    return Number{.i = promoted(result, integerOf(fn, operand, args))};
  case MathTyping::Number:
    if (operand.isInteger())
      return Number{.i = promoted(result, integerOf(fn, operand, args))};
    break;
  case MathTyping::Real:
    break;
  }
  return Number{.f = roundTo(result, realOf(fn, operand, args))};
}

} // namespace tilescope
