// Text of expressions: precedence, `int` or 64 bits, rounding to what a type has.
#pragma once

#include "core/codegen/cuda_vars.h"
#include "core/codegen/prelude.h"
#include "core/ir/module.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <string>

namespace tilescope {

// How tightly C++ binds, larger is tighter.
enum CudaPrecedence : int {
  Conditional = 1,
  LogicalOr,
  LogicalAnd,
  BitwiseOr,
  BitwiseXor,
  BitwiseAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Prefix,
  Primary,
};

class CudaExprs {
public:
  // What is read from a buffer; the text of its indices is asked for from here again.
  using LoadText = std::function<std::string(const Load &)>;

  CudaExprs(HelperSet &helpers, const CudaVars &vars, LoadText loadText)
      : helpers_(helpers), vars_(vars), bounds_(vars.bounds()), loadText_(std::move(loadText)) {}

  // A value of the expression's type.
  std::string value(const Expr *expr);
  // A mathematical integer: 64 bits wherever 32 might overflow.
  std::string index(const Expr *expr);
  // Whether the C++ type of that has 64 bits.
  bool isWideIndex(const Expr *expr);
  // A condition; "" for null, which means "true".
  std::string condition(const Expr *expr);
  // What `print` asks for is used only where the condition holds: parts that it keeps within 32
  // bits are cut to them, so that no more need be in registers.
  std::string guarded(const Expr *condition, llvm::function_ref<std::string()> print);
  // A value of a four-bit type for what wraps or rounds it anyhow.
  std::string withoutRange(const Expr *expr);
  // An int or float, as a value that the four-bit type has: wrapped or rounded.
  std::string inRange(DType dtype, const std::string &text);
  void useHeaderOf(DType dtype);
  // What a value of the type is computed in, with the header that has it.
  std::string valueType(DType dtype);

private:
  // Text of an expression with how tightly it binds; `wide`: its C++ type has 64 bits.
  struct Text {
    std::string text;
    int precedence;
    bool wide = false;
  };
  enum class Width : uint8_t { OfType, Index }; // Index: 64 bits wherever 32 might overflow

  Text print(const Expr *expr, Width width);
  Text printWhole(const Expr *expr, Width width);
  Text printBinary(const Binary &binary, Width width);
  Text printOperand(const Expr *expr, Width width);
  Text rounded(Text text, DType dtype);
  std::string literal(const FloatImm &imm);
  Text printArithmetic(const Binary &binary, Width width);
  Text printFloor(const Binary &binary, Width width);
  Text printExtremum(const Binary &binary, Width width);
  Text printCast(const Cast &cast, Width width);
  Text printMath(const Math &math);
  Text printReinterpretation(const Math &math);
  Text printIntegerFunction(const Math &math);
  Text printFloat(const FloatImm &imm);
  static Text printInt(const IntImm &imm);
  static std::string inParentheses(const Text &text, int atLeast);
  bool isPlainSum(const Binary &binary) const;

  HelperSet &helpers_;
  const CudaVars &vars_;
  const IndexBounds &bounds_;
  LoadText loadText_;
  llvm::SmallVector<const Expr *> narrow_; // parts that fit into 32 bits where the text is used
};

} // namespace tilescope
