#include "core/codegen/cuda_names.h"

#include "core/codegen/prelude.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilescope {

namespace {

// Keywords of C++17, and what the CUDA headers define and the emitted text uses.
const llvm::StringSet<> &reservedNames() {
  static const llvm::StringSet<> Names = {
      "alignas",  "alignof",  "and",       "and_eq",    "asm",      "auto",      "bitand",
      "bitor",    "bool",     "break",     "case",      "catch",    "char",      "class",
      "compl",    "const",    "constexpr", "continue",  "decltype", "default",   "delete",
      "do",       "double",   "else",      "enum",      "explicit", "export",    "extern",
      "false",    "float",    "for",       "friend",    "goto",     "if",        "inline",
      "int",      "long",     "mutable",   "namespace", "new",      "noexcept",  "not",
      "not_eq",   "nullptr",  "operator",  "or",        "or_eq",    "private",   "protected",
      "public",   "register", "return",    "short",     "signed",   "sizeof",    "static",
      "struct",   "switch",   "template",  "this",      "throw",    "true",      "try",
      "typedef",  "typeid",   "typename",  "union",     "unsigned", "using",     "virtual",
      "void",     "volatile", "while",     "xor",       "xor_eq",   "threadIdx", "blockIdx",
      "blockDim", "gridDim",  "warpSize",  "half",      "half2",    "bfloat16",  "fp8_e4m3",
      "fp8_e5m2", "i8",       "u8",        "i16",       "u16",      "u32",       "i64",
      "u64",      "dim3",     "uint2",     "uint4",     "min",      "max",       "atomicAdd",
      "arena",    "main",     "exp",       "log",       "stream",   "status",    "abs",
      "expf",     "exp2f",    "exp10f",    "logf",      "log2f",    "log10f",    "sqrtf",
      "rsqrtf",   "sinf",     "cosf",      "tanhf",     "erff",     "fabsf",     "floorf",
      "ceilf",    "roundf",   "truncf",    "powf",      "fminf",    "fmaxf",     "fmin",
      "fmax",     "exp2",     "exp10",     "log2",      "log10",    "sqrt",      "rsqrt",
      "sin",      "cos",      "tanh",      "erf",       "fabs",     "floor",     "ceil",
      "round",    "trunc",    "pow"};
  return Names;
}

std::string toIdentifier(llvm::StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(name.begin(), '_');
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

static bool isReserved(llvm::StringRef name) {
  return reservedNames().contains(name) || isHelperName(name);
}

void NameScope::leave() {
  for (const std::string &name : scopes_.back())
    names_.release(name);
  scopes_.pop_back();
}

std::string NameScope::declare(llvm::StringRef wanted) {
  scopes_.back().push_back(names_.claim(toIdentifier(wanted), isReserved));
  return scopes_.back().back();
}

} // namespace tilescope
