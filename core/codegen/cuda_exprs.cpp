// Expressions as C++: precedence, `int` where bounds prove that it fits, floor division. Functions
// are in cuda_math.cpp.
#include "core/codegen/cuda_exprs.h"

#include "core/codegen/narrow_parts.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

namespace tilescope {

namespace {

struct OperatorText {
  llvm::StringRef spelling;
  int precedence;
};

OperatorText operatorOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return {"+", Additive};
  case BinaryOp::Sub:
    return {"-", Additive};
  case BinaryOp::Mul:
    return {"*", Multiplicative};
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
    return {"/", Multiplicative};
  case BinaryOp::FloorMod:
    return {"%", Multiplicative};
  case BinaryOp::BitAnd:
    return {"&", BitwiseAnd};
  case BinaryOp::BitOr:
    return {"|", BitwiseOr};
  case BinaryOp::BitXor:
    return {"^", BitwiseXor};
  case BinaryOp::ShiftLeft:
    return {"<<", Shift};
  case BinaryOp::ShiftRight:
    return {">>", Shift};
  case BinaryOp::Equal:
    return {"==", Equality};
  case BinaryOp::NotEqual:
    return {"!=", Equality};
  case BinaryOp::Less:
    return {"<", Relational};
  case BinaryOp::LessEqual:
    return {"<=", Relational};
  case BinaryOp::Greater:
    return {">", Relational};
  case BinaryOp::GreaterEqual:
    return {">=", Relational};
  case BinaryOp::And:
    return {"&&", LogicalAnd};
  case BinaryOp::Or:
    return {"||", LogicalOr};
  case BinaryOp::Min:
  case BinaryOp::Max:
    break;
  }
  return {"", Primary};
}

bool isWideInteger(DType dtype) { return dtype.isInteger() && dtype.bits == 64; }
bool isSubByte(DType dtype) { return dtype.bits < 8; }
bool isSubByteFloat(DType dtype) { return dtype.isFloat() && isSubByte(dtype); }
bool isHalfPrecision(DType dtype) { return dtype.isFloat() && dtype.bits <= 16; }

} // namespace

std::string CudaExprs::inParentheses(const Text &text, int atLeast) {
  return text.precedence < atLeast ? "(" + text.text + ")" : text.text;
}

std::string CudaExprs::value(const Expr *expr) { return print(expr, Width::OfType).text; }

std::string CudaExprs::index(const Expr *expr) { return print(expr, Width::Index).text; }

bool CudaExprs::isWideIndex(const Expr *expr) { return print(expr, Width::Index).wide; }

std::string CudaExprs::condition(const Expr *expr) { return expr ? index(expr) : ""; }

std::string CudaExprs::guarded(const Expr *condition, llvm::function_ref<std::string()> print) {
  llvm::SaveAndRestore outer(narrow_, narrowParts(condition, bounds_));
  return print();
}

CudaExprs::Text CudaExprs::printInt(const IntImm &imm) {
  if (imm.dtype().isBool())
    return {imm.value ? "true" : "false", Primary};
  std::string digits = std::to_string(imm.value);
  if (imm.dtype().isUnsigned() && imm.dtype().bits >= 32)
    return {digits + (imm.dtype().bits == 64 ? "ull" : "u"), Primary, imm.dtype().bits == 64};
  if (imm.value == INT64_MIN)
    return {"(-9223372036854775807ll - 1)", Primary, true};
  bool wide = imm.value < INT32_MIN || imm.value > INT32_MAX;
  return {digits + (wide ? "ll" : ""), imm.value < 0 ? Prefix : Primary, wide};
}

// The number as a double, for types up to 32 bits as a float.
std::string CudaExprs::literal(const FloatImm &imm) {
  bool isFloat = imm.dtype().bits <= 32;
  if (!std::isfinite(imm.value)) {
    bool negative = std::isinf(imm.value) && imm.value < 0;
    std::string text = (negative ? "-" : "") +
                       helpers_.call(std::isnan(imm.value) ? Helper::NotANumber : Helper::Infinity);
    return isFloat ? "float(" + text + ")" : text;
  }
  std::string text;
  // The shortest text that reads back as the same value.
  for (int digits = 6; digits <= 17; ++digits) {
    char buffer[40];
    snprintf(buffer, sizeof buffer, "%.*g", digits, imm.value);
    text = buffer;
    double read = strtod(buffer, nullptr);
    if (isFloat ? static_cast<float>(read) == static_cast<float>(imm.value) : read == imm.value)
      break;
  }
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + (isFloat ? "f" : "");
}

CudaExprs::Text CudaExprs::printFloat(const FloatImm &imm) {
  std::string text = literal(imm);
  if (isSubByte(imm.dtype()))
    return {inRange(imm.dtype(), text), Primary};
  if (isHalfPrecision(imm.dtype()))
    return {valueType(imm.dtype()) + "(" + text + ")", Primary};
  return {text, text.front() == '-' ? Prefix : Primary};
}

CudaExprs::Text CudaExprs::print(const Expr *expr, Width width) {
  Text text = printWhole(expr, width);
  if (!text.wide || expr->dtype().isUnsigned() ||
      llvm::none_of(narrow_, [&](const Expr *part) { return isSameExpr(part, expr); }))
    return text;
  // Of 64 bits still: where the condition does not hold, nothing may overflow either.
  return {"i64(int(" + text.text + "))", Primary, true};
}

CudaExprs::Text CudaExprs::printWhole(const Expr *expr, Width width) {
  if (const std::string *holder = vars_.holderOf(expr))
    return {*holder, Primary};
  if (isWideInteger(expr->dtype()))
    width = Width::Index;
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return printInt(*llvm::cast<IntImm>(expr));
  case ExprKind::FloatImm:
    return printFloat(*llvm::cast<FloatImm>(expr));
  case ExprKind::Var: {
    const Var *var = llvm::cast<Var>(expr);
    return {vars_.nameOf(var), Primary, vars_.isWide(var)};
  }
  case ExprKind::Unary: {
    const auto *unary = llvm::cast<Unary>(expr);
    Text operand = printOperand(unary->operand, width);
    llvm::StringRef sign = unary->op == UnaryOp::Negate ? "-"
                           : unary->op == UnaryOp::Not  ? "!"
                                                        : "~";
    bool doubled = operand.precedence == Prefix;
    return rounded(
        {sign.str() + inParentheses(operand, doubled ? Primary : Prefix), Prefix, operand.wide},
        unary->dtype());
  }
  case ExprKind::Binary:
    return printBinary(*llvm::cast<Binary>(expr), width);
  case ExprKind::Cast:
    return printCast(*llvm::cast<Cast>(expr), width);
  case ExprKind::Select: {
    const auto *select = llvm::cast<Select>(expr);
    Text whenTrue = print(select->whenTrue, width);
    Text whenFalse = print(select->whenFalse, width);
    return {inParentheses(print(select->condition, Width::Index), LogicalOr) + " ? " +
                inParentheses(whenTrue, LogicalOr) + " : " + inParentheses(whenFalse, Conditional),
            Conditional, whenTrue.wide || whenFalse.wide};
  }
  case ExprKind::Load:
    return {loadText_(*llvm::cast<Load>(expr)), Primary, isWideInteger(expr->dtype())};
  case ExprKind::Math:
    return printMath(*llvm::cast<Math>(expr));
  }
  return {"", Primary};
}

CudaExprs::Text CudaExprs::printOperand(const Expr *expr, Width width) {
  Text text = print(expr, width);
  // CUDA has no arithmetic on these.
  return expr->dtype().isFloat8() ? Text{"float(" + text.text + ")", Primary} : text;
}

// What was computed as a float, back in the type that has no arithmetic.
CudaExprs::Text CudaExprs::rounded(Text text, DType dtype) {
  if (isSubByteFloat(dtype))
    return {inRange(dtype, text.text), Primary};
  if (!dtype.isFloat8())
    return text;
  return {valueType(dtype) + "(" + text.text + ")", Primary};
}

void CudaExprs::useHeaderOf(DType dtype) {
  if (dtype == DType::float16())
    helpers_.add(Helper::Half);
  else if (dtype == DType::bfloat16())
    helpers_.add(Helper::Bfloat16);
  else if (dtype.isFloat8())
    helpers_.add(Helper::Float8);
}

std::string CudaExprs::valueType(DType dtype) {
  useHeaderOf(dtype);
  return cudaValueType(dtype);
}

std::string CudaExprs::inRange(DType dtype, const std::string &text) {
  if (!dtype.isFloat())
    return helpers_.call(dtype.isUnsigned() ? Helper::WrapU4 : Helper::WrapI4) + "(" + text + ")";
  return helpers_.call(Helper::DecodeF4) + "(" + helpers_.call(Helper::EncodeF4) + "(" + text +
         "))";
}

std::string CudaExprs::withoutRange(const Expr *expr) {
  if (const auto *imm = llvm::dyn_cast<FloatImm>(expr))
    return literal(*imm);
  const auto *cast = llvm::dyn_cast<Cast>(expr);
  if (!cast)
    return value(expr);
  DType from = cast->operand->dtype();
  std::string operand = value(cast->operand);
  if (isHalfPrecision(from) || (expr->dtype().isFloat() && !from.isFloat()))
    operand = "float(" + operand + ")";
  return expr->dtype().isFloat() ? operand : "int(" + operand + ")";
}

CudaExprs::Text CudaExprs::printBinary(const Binary &binary, Width width) {
  if (binary.op == BinaryOp::Min || binary.op == BinaryOp::Max)
    return printExtremum(binary, width);
  if (binary.op == BinaryOp::FloorDiv || binary.op == BinaryOp::FloorMod)
    return printFloor(binary, width);
  // Comparisons look at the mathematical value of index arithmetic.
  bool ofIntegers = binary.lhs->dtype().isInteger();
  if (isPredicate(binary.op))
    width = ofIntegers || binary.lhs->dtype().isBool() ? Width::Index : Width::OfType;
  return printArithmetic(binary, width);
}

// a + (b + c) where no part is negative: without the parentheses no partial sum is larger than the
// whole.
bool CudaExprs::isPlainSum(const Binary &binary) const {
  const auto *rhs = llvm::dyn_cast<Binary>(binary.rhs);
  return binary.op == BinaryOp::Add && rhs && rhs->op == BinaryOp::Add &&
         binary.dtype().isInteger() && bounds_.of(binary.lhs).isNonNegative() &&
         bounds_.of(rhs->lhs).isNonNegative() && bounds_.of(rhs->rhs).isNonNegative();
}

CudaExprs::Text CudaExprs::printArithmetic(const Binary &binary, Width width) {
  OperatorText op = operatorOf(binary.op);
  Text lhs = printOperand(binary.lhs, width);
  Text rhs = printOperand(binary.rhs, width);
  bool isInteger = binary.dtype().isInteger();
  // What is unsigned wraps at its own width.
  bool mayBeWide = isInteger && width == Width::Index && !binary.dtype().isUnsigned();
  bool mustBeWide = mayBeWide && !bounds_.of(&binary).fitsInt32();
  if (mustBeWide && !lhs.wide && (!rhs.wide || op.precedence == Shift))
    lhs = {"i64(" + lhs.text + ")", Primary, true};
  int tighter = isPlainSum(binary) ? op.precedence : op.precedence + 1;
  std::string text = inParentheses(lhs, op.precedence) + " " + op.spelling.str() + " " +
                     inParentheses(rhs, tighter);
  bool wide = isInteger && (lhs.wide || (rhs.wide && op.precedence != Shift));
  return rounded({text, op.precedence, wide}, binary.dtype());
}

CudaExprs::Text CudaExprs::printFloor(const Binary &binary, Width width) {
  bool plain = bounds_.of(binary.lhs).isNonNegative() && bounds_.of(binary.rhs).isNonNegative();
  if (plain || binary.dtype().isUnsigned())
    return printArithmetic(binary, width);
  bool isDiv = binary.op == BinaryOp::FloorDiv;
  Text lhs = print(binary.lhs, width);
  Text rhs = print(binary.rhs, width);
  std::string name = helpers_.call(isDiv ? Helper::FloorDiv : Helper::FloorMod);
  return {name + "(" + lhs.text + ", " + rhs.text + ")", Primary, lhs.wide || rhs.wide};
}

CudaExprs::Text CudaExprs::printExtremum(const Binary &binary, Width width) {
  bool isMin = binary.op == BinaryOp::Min;
  DType dtype = binary.dtype();
  Text lhs = printOperand(binary.lhs, width);
  Text rhs = printOperand(binary.rhs, width);
  std::string name = isMin ? "min" : "max";
  if (dtype.isFloat() && dtype.bits == 16)
    name = isMin ? "__hmin" : "__hmax";
  else if (dtype.isFloat())
    name = dtype.bits == 64 ? (isMin ? "fmin" : "fmax") : (isMin ? "fminf" : "fmaxf");
  bool wide = lhs.wide || rhs.wide;
  // The overloads of min and max want one type.
  std::string wideType = dtype.isUnsigned() && dtype.bits == 64 ? "u64" : "i64";
  if (wide && !lhs.wide)
    lhs.text = wideType + "(" + lhs.text + ")";
  if (wide && !rhs.wide)
    rhs.text = wideType + "(" + rhs.text + ")";
  return rounded({name + "(" + lhs.text + ", " + rhs.text + ")", Primary, wide}, dtype);
}

CudaExprs::Text CudaExprs::printCast(const Cast &cast, Width width) {
  DType from = cast.operand->dtype();
  DType to = cast.dtype();
  // Between index types nothing is to be done where the value fits, and is signed as before.
  bool isOfIndices = from.isInteger() && to.isInteger() && width == Width::Index;
  if (isOfIndices && from.isUnsigned() == to.isUnsigned()) {
    Interval values = bounds_.of(cast.operand);
    Interval allowed = rangeOf(to);
    if (values.low >= allowed.low && values.high <= allowed.high)
      return print(cast.operand, width);
  }
  if (isSubByte(to))
    return {inRange(to, withoutRange(&cast)), Primary};
  std::string operand = print(cast.operand, Width::OfType).text;
  std::string type = valueType(to);
  // No constructor leads from one 16-bit or 8-bit float, or from bool, to another.
  bool throughFloat = isHalfPrecision(to) && (isHalfPrecision(from) || from.isBool());
  bool narrowToInt = isHalfPrecision(from) && (to.isInteger() || to.isBool());
  if (throughFloat || narrowToInt)
    operand = "float(" + operand + ")";
  // Out of the range of the type C++ leaves the result open; through a wider one it wraps.
  if (from.isFloat() && to.isInteger() && (to.bits < 32 || (to.isUnsigned() && to.bits == 32)))
    operand = (to.bits < 32 ? "int(" : "i64(") + operand + ")";
  return {type + "(" + operand + ")", Primary, isWideInteger(to)};
}

} // namespace tilescope
