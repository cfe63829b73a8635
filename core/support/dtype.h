// Scalar element types, down to 4 bits.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilescope {

enum class DTypeKind : uint8_t {
  Bool,
  Int,
  UInt,
  Float,
  BFloat,
  TFloat,
  Float8E4M3,
  Float8E5M2,
  Float4E2M1
};

struct DType {
  DTypeKind kind = DTypeKind::Int;
  uint8_t bits = 32; // size in memory; Bool is 8 in memory, TFloat (tfloat32) is 32

  bool isBool() const { return kind == DTypeKind::Bool; }
  bool isInteger() const { return kind == DTypeKind::Int || kind == DTypeKind::UInt; }
  bool isFloat() const { return !isBool() && !isInteger(); }
  bool isFloat8() const { return isFloat() && bits == 8; }
  bool isUnsigned() const { return kind == DTypeKind::UInt; }
  // Bytes of `count` elements packed tightly, rounded up to whole bytes.
  int64_t bytes(int64_t count) const { return (count * bits + 7) / 8; }
  // "float16", "bfloat16", "int8", "float8_e4m3fn", ...: TileLang's own spelling.
  std::string name() const;

  friend bool operator==(DType, DType) = default;

  static constexpr DType boolean() { return {DTypeKind::Bool, 8}; }
  static constexpr DType int32() { return {DTypeKind::Int, 32}; }
  static constexpr DType int64() { return {DTypeKind::Int, 64}; }
  static constexpr DType uint32() { return {DTypeKind::UInt, 32}; }
  static constexpr DType uint64() { return {DTypeKind::UInt, 64}; }
  static constexpr DType float16() { return {DTypeKind::Float, 16}; }
  static constexpr DType bfloat16() { return {DTypeKind::BFloat, 16}; }
  static constexpr DType float32() { return {DTypeKind::Float, 32}; }
};

// Each type once, in the order of their kinds and bits.
llvm::ArrayRef<DType> allDTypes();

// Accepts TileLang's names and its aliases ("float" is float32, "half" is float16, "int" is int32).
std::optional<DType> parseDType(llvm::StringRef name);

} // namespace tilescope
