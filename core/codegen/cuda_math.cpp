// Functions of numbers as C++.
#include "core/codegen/cuda_exprs.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// "ieee_add_rz", "ieee_fmaf_rz": __fadd_rz and __fmaf_rz, for doubles __dadd_rz and __fma_rz.
std::string nameOfIeee(llvm::StringRef spelling, bool isDouble) {
  spelling.consume_front("ieee_");
  bool isFma = spelling.starts_with("fmaf");
  llvm::StringRef kind = spelling;
  if (isFma || kind.starts_with("frcp") || kind.starts_with("fsqrt") || kind.starts_with("fdiv") ||
      kind.starts_with("frsqrt"))
    kind = kind.drop_front();
  if (!isDouble)
    return "__f" + (isFma ? "maf" + kind.drop_front(3) : kind).str() +
           (kind == "rsqrt" ? "_rn" : "");
  return isFma ? "__fma" + kind.drop_front(3).str() : "__d" + kind.str();
}

// On doubles, or with an "f" on floats. The fast functions are for floats only.
std::string nameOfFunction(MathFn fn, bool isDouble) {
  llvm::StringRef spelling = spellingOf(fn);
  if (spelling.starts_with("ieee_"))
    return nameOfIeee(spelling, isDouble);
  if (fn == MathFn::Abs)
    spelling = "fabs";
  return isDouble ? spelling.ltrim('_').str() : spelling.str() + "f";
}

} // namespace

CudaExprs::Text CudaExprs::printMath(const Math &math) {
  DType operand = math.args.front()->dtype();
  if (typingOf(math.fn) == MathTyping::Bits)
    return printReinterpretation(math);
  if (operand.isInteger())
    return printIntegerFunction(math);
  bool isTest = typingOf(math.fn) == MathTyping::Test;
  bool isDouble = operand.bits == 64;
  bool convert = operand.bits <= 16;
  bool isMaxNan = math.fn == MathFn::MaxNan, isMinNan = math.fn == MathFn::MinNan;
  std::string name = nameOfFunction(math.fn, isDouble);
  if ((isMaxNan || isMinNan) && operand.bits == 16) {
    name = isMaxNan ? "__hmax_nan" : "__hmin_nan";
    convert = false;
  } else if (isMaxNan || isMinNan) {
    name = helpers_.call(isMaxNan ? Helper::MaxNan : Helper::MinNan);
  } else if (math.fn == MathFn::Sigmoid) {
    name = helpers_.call(isDouble ? Helper::SigmoidF64 : Helper::Sigmoid);
  }
  if (isTest)
    name = spellingOf(math.fn).str();
  std::string text = name + "(";
  if (math.fn == MathFn::FastRcp)
    text = "__fdividef(1.0f, ";
  for (auto [index, arg] : llvm::enumerate(math.args)) {
    if (index != 0)
      text += ", ";
    text += convert ? "float(" + value(arg) + ")" : value(arg);
  }
  text += ")";
  if (isTest)
    return {text, Primary};
  if (operand.bits < 8)
    return rounded({text, Primary}, operand);
  return {convert ? valueType(operand) + "(" + text + ")" : text, Primary};
}

CudaExprs::Text CudaExprs::printIntegerFunction(const Math &math) {
  DType operand = math.args.front()->dtype();
  bool isWide = operand.bits == 64;
  std::string x = value(math.args.front());
  switch (math.fn) {
  case MathFn::Abs:
    // CUDA has no abs of unsigned integers.
    return operand.isUnsigned() ? print(math.args.front(), Width::OfType)
                                : Text{"abs(" + x + ")", Primary, isWide};
  case MathFn::PopCount:
    // Only the bits of the type count; signs of narrow ones are copied when they are widened.
    if (!isWide)
      return {"__popc(" + (operand.bits < 32 ? valueType({DTypeKind::UInt, operand.bits}) : "u32") +
                  "(" + x + "))",
              Primary};
    return {"i64(__popcll(u64(" + x + ")))", Primary, true};
  case MathFn::CountLeadingZeros:
    return {(isWide ? "__clzll(i64(" : "__clz(int(") + x + "))", Primary};
  default:
    break;
  }
  Text lhs = print(math.args[0], Width::OfType);
  Text rhs = print(math.args[1], Width::OfType);
  llvm::StringRef sign = math.fn == MathFn::TruncDiv ? " / " : " % ";
  return {inParentheses(lhs, Multiplicative) + sign.str() + inParentheses(rhs, Prefix),
          Multiplicative, isWide};
}

// What is computed in a wider type is of its own type before its bits are looked at.
CudaExprs::Text CudaExprs::printReinterpretation(const Math &math) {
  const Expr *operand = math.args.front();
  std::string to = valueType(math.dtype());
  std::string from = valueType(operand->dtype());
  return {helpers_.call(Helper::BitCast) + "<" + to + ">(" + from + "(" + value(operand) + "))",
          Primary, math.dtype().isInteger() && math.dtype().bits == 64};
}

} // namespace tilescope
