#include "core/support/dtype.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope {

std::string DType::name() const {
  switch (kind) {
  case DTypeKind::Bool:
    return "bool";
  case DTypeKind::Int:
    return "int" + std::to_string(bits);
  case DTypeKind::UInt:
    return "uint" + std::to_string(bits);
  case DTypeKind::Float:
    return "float" + std::to_string(bits);
  case DTypeKind::BFloat:
    return "bfloat16";
  case DTypeKind::TFloat:
    return "tfloat32";
  case DTypeKind::Float8E4M3:
    return "float8_e4m3fn";
  case DTypeKind::Float8E5M2:
    return "float8_e5m2";
  case DTypeKind::Float4E2M1:
    return "float4_e2m1fn";
  }
  return "?";
}

llvm::ArrayRef<DType> allDTypes() {
  using enum DTypeKind;
  static constexpr DType Types[] = {
      {Bool, 8},    {Int, 4},        {Int, 8},        {Int, 16},       {Int, 32},
      {Int, 64},    {UInt, 4},       {UInt, 8},       {UInt, 16},      {UInt, 32},
      {UInt, 64},   {Float, 16},     {Float, 32},     {Float, 64},     {BFloat, 16},
      {TFloat, 32}, {Float8E4M3, 8}, {Float8E5M2, 8}, {Float4E2M1, 4},
  };
  return Types;
}

std::optional<DType> parseDType(llvm::StringRef name) {
  auto dtype = [](DTypeKind kind, unsigned bits) {
    return std::optional<DType>(DType{kind, static_cast<uint8_t>(bits)});
  };
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("bool", dtype(DTypeKind::Bool, 8))
      .Case("int4", dtype(DTypeKind::Int, 4))
      .Case("int8", dtype(DTypeKind::Int, 8))
      .Cases("int16", "short", dtype(DTypeKind::Int, 16))
      .Cases("int32", "int", dtype(DTypeKind::Int, 32))
      .Cases("int64", "long", dtype(DTypeKind::Int, 64))
      .Case("uint4", dtype(DTypeKind::UInt, 4))
      .Case("uint8", dtype(DTypeKind::UInt, 8))
      .Case("uint16", dtype(DTypeKind::UInt, 16))
      .Cases("uint32", "uint", dtype(DTypeKind::UInt, 32))
      .Case("uint64", dtype(DTypeKind::UInt, 64))
      .Cases("float16", "half", dtype(DTypeKind::Float, 16))
      .Cases("float32", "float", dtype(DTypeKind::Float, 32))
      .Cases("float64", "double", dtype(DTypeKind::Float, 64))
      .Case("bfloat16", dtype(DTypeKind::BFloat, 16))
      .Case("tfloat32", dtype(DTypeKind::TFloat, 32))
      .Cases("float8_e4m3fn", "float8_e4m3", dtype(DTypeKind::Float8E4M3, 8))
      .Case("float8_e5m2", dtype(DTypeKind::Float8E5M2, 8))
      .Case("float4_e2m1fn", dtype(DTypeKind::Float4E2M1, 4))
      .Default(std::nullopt);
}

} // namespace tilescope
