#include "core/ir/print_expr.h"

#include "core/ir/build.h"
#include "core/ir/text_form.h"

#include <charconv>
#include <cmath>

namespace tilescope {

namespace {

// The shortest text that reads back as the same double, with a point or an exponent.
void appendFloat(std::string &out, double value) {
  char digits[32];
  auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  llvm::StringRef text(digits, end - digits);
  bool looksLikeInteger = text.find_first_of(".e") == llvm::StringRef::npos;
  append(out, text, looksLikeInteger ? ".0" : "");
}

void printInt(std::string &out, const IntImm *imm) {
  if (imm->dtype().isBool() && (imm->value == 0 || imm->value == 1))
    append(out, imm->value ? "True" : "False");
  else if (imm->dtype() == DType::int32())
    append(out, imm->value);
  else
    append(out, "T.", imm->dtype().name(), "(", imm->value, ")");
}

// Bare literals are float32.
void printFloat(std::string &out, const FloatImm *imm) {
  std::string type = imm->dtype().name();
  if (std::isnan(imm->value))
    return append(out, "T.nan(\"", type, "\")");
  if (std::isinf(imm->value))
    return append(out, imm->value < 0 ? "-" : "", "T.infinity(\"", type, "\")");
  if (imm->dtype() == DType::float32())
    return appendFloat(out, imm->value);
  append(out, "T.", type, "(");
  appendFloat(out, imm->value);
  out += ')';
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

void ExprPrinter::print(const Expr *expr, Precedence least) {
  if (!expr)
    return append(out_, "None");
  if (precedenceOf(expr) >= least)
    return printBare(expr);
  out_ += '(';
  printBare(expr);
  out_ += ')';
}

void ExprPrinter::printList(ExprList list) {
  llvm::StringRef separator;
  for (const Expr *expr : list) {
    append(out_, std::exchange(separator, ", "));
    print(expr);
  }
}

void ExprPrinter::printBare(const Expr *expr) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return printInt(out_, llvm::cast<IntImm>(expr));
  case ExprKind::FloatImm:
    return printFloat(out_, llvm::cast<FloatImm>(expr));
  case ExprKind::Var:
    return append(out_, names_.of(llvm::cast<Var>(expr)));
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
    append(out_, "T.", spellingOf(math->fn), "(");
    printList(math->args);
    if (typingOf(math->fn) == MathTyping::Bits)
      append(out_, ", \"", math->dtype().name(), "\"");
    out_ += ')';
  }
  }
}

void ExprPrinter::printBinary(const Binary *binary) {
  llvm::StringRef spelling = spellingOf(binary->op);
  if (spelling.starts_with("T.")) {
    append(out_, spelling, "(");
    printList({binary->lhs, binary->rhs});
    out_ += ')';
    return;
  }
  Precedence own = precedenceOf(binary->op);
  // Python chains comparisons, so a comparison inside one needs parentheses on either side.
  print(binary->lhs, own == Precedence::Comparison ? tighter(own) : own);
  append(out_, " ", spelling, " ");
  print(binary->rhs, tighter(own));
}

void ExprPrinter::printUnary(const Unary *unary) {
  if (unary->op == UnaryOp::Not) {
    out_ += "not ";
    return print(unary->operand, Precedence::Not);
  }
  // `-5` is a literal.
  bool isCall = unary->op == UnaryOp::Negate && isLiteral(unary->operand);
  append(out_, isCall ? "T.negate(" : spellingOf(unary->op));
  print(unary->operand, isCall ? Precedence::Conditional : Precedence::Unary);
  append(out_, isCall ? ")" : "");
}

void ExprPrinter::printCast(const Cast *cast) {
  std::string type = cast->dtype().name();
  // `T.int64(5)` is a literal.
  bool isNamed = isBareNumber(cast->operand);
  append(out_, "T.", isNamed ? "cast" : type, "(");
  print(cast->operand);
  if (isNamed)
    append(out_, ", \"", type, "\"");
  out_ += ')';
}

void ExprPrinter::printSelect(const Select *select) {
  Precedence inner = tighter(Precedence::Conditional);
  print(select->whenTrue, inner);
  out_ += " if ";
  print(select->condition, inner);
  out_ += " else ";
  print(select->whenFalse);
}

void ExprPrinter::printElement(BufferId buffer, const Expr *slot, ExprList indices) {
  append(out_, names_.of(buffer), "[");
  if (slot)
    print(slot);
  append(out_, slot && !indices.empty() ? ", " : "");
  printList(indices);
  append(out_, slot || !indices.empty() ? "]" : "()]");
}

void ExprPrinter::printRegion(const BufferRegion &region) {
  append(out_, names_.of(region.buffer), "[");
  if (region.slot)
    print(region.slot);
  bool isFirst = !region.slot;
  for (const Range &range : region.ranges) {
    append(out_, std::exchange(isFirst, false) ? "" : ", ");
    printRange(range);
  }
  append(out_, isFirst ? "()]" : "]");
}

void ExprPrinter::printRange(const Range &range) {
  if (constantValue(range.extent) == 1 && range.extent->dtype() == range.min->dtype())
    return print(range.min);
  printMinAndStop(range, ":");
}

void ExprPrinter::printBounds(const Range &range) { printMinAndStop(range, ", "); }

void ExprPrinter::printMinAndStop(const Range &range, llvm::StringRef separator) {
  const Expr *stop = stopOf(scratch_, range);
  if (!stop)
    append(out_, "T.span(");
  print(range.min);
  append(out_, stop ? separator : ", ");
  print(stop ? stop : range.extent);
  if (!stop)
    out_ += ')';
}

std::string printExpr(const TextNames &names, const Expr &expr) {
  std::string text;
  ExprPrinter(names, text).print(&expr);
  return text;
}

} // namespace tilescope
