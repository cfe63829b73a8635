#include "core/ir/print_expr.h"

#include "core/ir/build.h"
#include "core/ir/text_form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>

namespace tilescope {

namespace {

// The shortest text that reads back as the same double, with a point or an exponent.
std::string floatText(double value) {
  char digits[32];
  auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  std::string text(digits, end);
  bool looksLikeInteger = llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos;
  return looksLikeInteger ? text + ".0" : text;
}

std::string printInt(const IntImm *imm) {
  if (imm->dtype().isBool() && (imm->value == 0 || imm->value == 1))
    return imm->value ? "True" : "False";
  std::string digits = std::to_string(imm->value);
  return imm->dtype() == DType::int32() ? digits : "T." + imm->dtype().name() + "(" + digits + ")";
}

// Bare literals are float32.
std::string printFloat(const FloatImm *imm) {
  std::string type = imm->dtype().name();
  if (std::isnan(imm->value))
    return "T.nan(\"" + type + "\")";
  if (std::isinf(imm->value))
    return std::string(imm->value < 0 ? "-" : "") + "T.infinity(\"" + type + "\")";
  std::string digits = floatText(imm->value);
  return imm->dtype() == DType::float32() ? digits : "T." + type + "(" + digits + ")";
}

bool isLiteral(const Expr *expr) { return llvm::isa<IntImm>(expr) || llvm::isa<FloatImm>(expr); }

// Whether the text of a literal is a number, so that `T.int64(text)` would be a literal as well.
bool isBareNumber(const Expr *expr) {
  if (const auto *imm = llvm::dyn_cast<FloatImm>(expr))
    return imm->dtype() == DType::float32() && std::isfinite(imm->value);
  return llvm::isa<IntImm>(expr) && expr->dtype() == DType::int32();
}

Precedence precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return Precedence::Sum;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::FloorMod:
    return Precedence::Product;
  case BinaryOp::BitAnd:
    return Precedence::BitAnd;
  case BinaryOp::BitOr:
    return Precedence::BitOr;
  case BinaryOp::BitXor:
    return Precedence::BitXor;
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRight:
    return Precedence::Shift;
  case BinaryOp::Min:
  case BinaryOp::Max:
    return Precedence::Atom;
  case BinaryOp::And:
    return Precedence::And;
  case BinaryOp::Or:
    return Precedence::Or;
  default:
    return Precedence::Comparison;
  }
}

Precedence precedenceOf(const Expr *expr) {
  if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    return precedenceOf(binary->op);
  if (llvm::isa<Select>(expr))
    return Precedence::Conditional;
  if (const auto *unary = llvm::dyn_cast<Unary>(expr))
    return unary->op == UnaryOp::Not ? Precedence::Not : Precedence::Unary;
  return Precedence::Atom;
}

Precedence tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<int>(precedence) + 1);
}

} // namespace

std::string ExprPrinter::print(const Expr *expr, Precedence least) {
  if (!expr)
    return "None";
  if (precedenceOf(expr) < least)
    return "(" + printBare(expr) + ")";
  return printBare(expr);
}

std::string ExprPrinter::printList(ExprList list) {
  return joinTexts(list, [&](const Expr *expr) { return print(expr); });
}

std::string ExprPrinter::printBare(const Expr *expr) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return printInt(llvm::cast<IntImm>(expr));
  case ExprKind::FloatImm:
    return printFloat(llvm::cast<FloatImm>(expr));
  case ExprKind::Var:
    return names_.of(llvm::cast<Var>(expr));
  case ExprKind::Unary:
    return printUnary(llvm::cast<Unary>(expr));
  case ExprKind::Binary:
    return printBinary(llvm::cast<Binary>(expr));
  case ExprKind::Cast:
    return printCast(llvm::cast<Cast>(expr));
  case ExprKind::Select:
    return printSelect(llvm::cast<Select>(expr));
  case ExprKind::Load: {
    const auto *load = llvm::cast<Load>(expr);
    return printElement(load->buffer, load->slot, load->indices);
  }
  case ExprKind::Math: {
    const auto *math = llvm::cast<Math>(expr);
    return ("T." + spellingOf(math->fn) + "(" + printList(math->args) + ")").str();
  }
  }
  return "?";
}

std::string ExprPrinter::printBinary(const Binary *binary) {
  llvm::StringRef spelling = spellingOf(binary->op);
  if (spelling.starts_with("T."))
    return (spelling + "(" + print(binary->lhs) + ", " + print(binary->rhs) + ")").str();
  Precedence own = precedenceOf(binary->op);
  // Python chains comparisons, so a comparison inside one needs parentheses on either side.
  Precedence left = own == Precedence::Comparison ? tighter(own) : own;
  std::string text = print(binary->lhs, left) + ' ';
  text += spelling;
  return text + ' ' + print(binary->rhs, tighter(own));
}

std::string ExprPrinter::printUnary(const Unary *unary) {
  if (unary->op == UnaryOp::Not)
    return "not " + print(unary->operand, Precedence::Not);
  // `-5` is a literal.
  if (unary->op == UnaryOp::Negate && isLiteral(unary->operand))
    return "T.negate(" + print(unary->operand) + ")";
  return (spellingOf(unary->op) + print(unary->operand, Precedence::Unary)).str();
}

std::string ExprPrinter::printCast(const Cast *cast) {
  std::string type = cast->dtype().name();
  // `T.int64(5)` is a literal.
  if (isBareNumber(cast->operand))
    return "T.cast(" + print(cast->operand) + ", \"" + type + "\")";
  return "T." + type + "(" + print(cast->operand) + ")";
}

std::string ExprPrinter::printSelect(const Select *select) {
  Precedence inner = tighter(Precedence::Conditional);
  return print(select->whenTrue, inner) + " if " + print(select->condition, inner) + " else " +
         print(select->whenFalse);
}

std::string ExprPrinter::printElement(BufferId buffer, const Expr *slot, ExprList indices) {
  llvm::SmallVector<const Expr *> all(indices);
  if (slot)
    all.insert(all.begin(), slot);
  return names_.of(buffer) + "[" + (all.empty() ? "()" : printList(all)) + "]";
}

std::string ExprPrinter::printRegion(const BufferRegion &region) {
  llvm::SmallVector<std::string> parts;
  if (region.slot)
    parts.push_back(print(region.slot));
  for (const Range &range : region.ranges)
    parts.push_back(printRange(range));
  return names_.of(region.buffer) + "[" + (parts.empty() ? "()" : llvm::join(parts, ", ")) + "]";
}

std::string ExprPrinter::printRange(const Range &range) {
  if (constantValue(range.extent) == 1 && range.extent->dtype() == range.min->dtype())
    return print(range.min);
  const Expr *stop = stopOf(scratch_, range);
  return stop ? print(range.min) + ":" + print(stop) : printSpan(range);
}

std::string ExprPrinter::printBounds(const Range &range) {
  const Expr *stop = stopOf(scratch_, range);
  return stop ? print(range.min) + ", " + print(stop) : printSpan(range);
}

std::string ExprPrinter::printSpan(const Range &range) {
  return "T.span(" + print(range.min) + ", " + print(range.extent) + ")";
}

} // namespace tilescope
