#include "core/codegen/cuda_names.h"

#include "core/codegen/prelude.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilescope {

namespace {

// Keywords of C++20, and what the CUDA headers define and the emitted text uses.
constexpr llvm::StringLiteral ReservedNames =
    "abs acos acosf acosh acoshf alignas alignof and and_eq arena asin asinf asinh asinhf "
    "asm assert atan atan2 atan2f atanf atanh atanhf atomicAdd atomicAnd atomicCAS atomicMax "
    "atomicMin atomicOr atomicXor auto bfloat16 bitand bitor blockDim blockIdx bool break "
    "case catch ceil ceilf char char16_t char32_t char8_t CHAR_BIT class co_await co_return "
    "co_yield compl concept const const_cast consteval constexpr constinit continue copysign "
    "copysignf cos cosf cosh coshf cospi decltype default delete dim3 do double dynamic_cast "
    "else enum EOF erf erff errno exp exp10 exp10f exp2 exp2f expf explicit export extern "
    "fabs fabsf false float floor floorf fma fmaf fmax fmaxf fmin fminf fmod fmodf for "
    "fp8_e4m3 fp8_e5m2 friend goto grid gridDim half half2 HUGE_VAL HUGE_VALF HUGE_VALL "
    "hypot hypotf i16 i64 i8 if INFINITY Infinity inline int INT_MAX INT_MIN isfinite isinf "
    "isnan ldexp ldexpf linux log log10 log10f log1p log1pf log2 log2f logf long M_E M_PI "
    "main max memcpy min mutable namespace NAN nearbyint nearbyintf new nextafter nextafterf "
    "noexcept not not_eq NULL nullptr operator or or_eq pow powf printf private protected "
    "public register reinterpret_cast requires return round roundf rsqrt rsqrtf shared_bytes "
    "short signed sin sinf sinh sinhf sinpi sizeof sqrt sqrtf static static_assert "
    "static_cast status stderr stdin stdout stream struct switch tan tanf tanh tanhf "
    "template this thread_local threadIdx throw true trunc truncf try typedef typeid "
    "typename u16 u32 u64 u8 uint2 uint4 UINT_MAX union unix unsigned using virtual void "
    "volatile warpSize wchar_t while xor xor_eq ";

const llvm::StringSet<> &reservedNames() {
  static const llvm::StringSet<> Names = [] {
    llvm::SmallVector<llvm::StringRef> words;
    ReservedNames.split(words, ' ', -1, /*KeepEmpty=*/false);
    llvm::StringSet<> names;
    for (llvm::StringRef word : words)
      names.insert(word);
    return names;
  }();
  return Names;
}

std::string toIdentifier(llvm::StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(name.begin(), '_');
  // "__shared__", "_Bool", "_128": names that begin so are the compiler's.
  if (name.size() > 1 && name[0] == '_' && !llvm::isLower(name[1]))
    name.insert(name.begin(), 'v');
  return name;
}

} // namespace

std::string cudaTypeName(DType dtype) {
  switch (dtype.kind) {
  case DTypeKind::Bool:
    return "bool";
  case DTypeKind::Int:
    return dtype.bits == 32 ? "int" : dtype.bits == 4 ? "u8" : "i" + std::to_string(dtype.bits);
  case DTypeKind::UInt:
    return dtype.bits == 4 ? "u8" : "u" + std::to_string(dtype.bits);
  case DTypeKind::Float:
    return dtype.bits == 16 ? "half" : dtype.bits == 64 ? "double" : "float";
  case DTypeKind::BFloat:
    return "bfloat16";
  case DTypeKind::TFloat:
    return "float";
  case DTypeKind::Float8E4M3:
    return "fp8_e4m3";
  case DTypeKind::Float8E5M2:
    return "fp8_e5m2";
  case DTypeKind::Float4E2M1:
    return "u8";
  }
  return "?";
}

std::string cudaValueType(DType dtype) {
  if (dtype.bits >= 8)
    return cudaTypeName(dtype);
  return dtype.isFloat() ? "float" : "int";
}

static bool isReserved(llvm::StringRef name) {
  return reservedNames().contains(name) || isHelperName(name);
}

void CudaNameScope::leave() {
  for (const std::string &name : scopes_.back())
    names_.release(name);
  scopes_.pop_back();
}

std::string CudaNameScope::declare(llvm::StringRef wanted) {
  scopes_.back().push_back(names_.claim(toIdentifier(wanted), isReserved));
  return scopes_.back().back();
}

} // namespace tilescope
