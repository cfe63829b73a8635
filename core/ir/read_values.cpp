#include "core/ir/read_values.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace tilescope {

namespace {

const ast::Expr *withoutMinus(const ast::Expr *expr, bool &isNegative) {
  const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr);
  isNegative = unary && unary->op == ast::UnaryOp::Negate;
  return isNegative ? unary->operand : expr;
}

} // namespace

llvm::StringRef nameInT(const ast::Expr *expr) {
  const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr);
  if (!attribute)
    return {};
  const auto *object = llvm::dyn_cast<ast::NameExpr>(attribute->object);
  return object && object->name == "T" ? attribute->name : llvm::StringRef();
}

const ast::CallExpr *asCallOfT(const ast::Expr *expr) {
  const auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
  return call && !nameInT(call->callee).empty() ? call : nullptr;
}

std::optional<int64_t> integerLiteral(const ast::Expr *expr) {
  bool isNegative = false;
  const auto *literal = llvm::dyn_cast<ast::IntExpr>(withoutMinus(expr, isNegative));
  constexpr auto Largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (!literal || !literal->fits || literal->magnitude > Largest + (isNegative ? 1 : 0))
    return std::nullopt;
  return static_cast<int64_t>(isNegative ? 0 - literal->magnitude : literal->magnitude);
}

std::optional<double> floatLiteral(const ast::Expr *expr) {
  bool isNegative = false;
  const ast::Expr *magnitude = withoutMinus(expr, isNegative);
  if (const auto *literal = llvm::dyn_cast<ast::FloatExpr>(magnitude))
    return isNegative ? -literal->value : literal->value;
  if (std::optional<int64_t> value = integerLiteral(expr))
    return static_cast<double>(*value);
  return std::nullopt;
}

std::optional<DType> typeNamed(llvm::StringRef name) {
  std::optional<DType> dtype = parseDType(name);
  return dtype && dtype->name() == name ? dtype : std::nullopt;
}

ast::ExprList elementsOf(const ast::Expr *const &expr) {
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr))
    return tuple->elements;
  if (const auto *list = llvm::dyn_cast<ast::ListExpr>(expr))
    return list->elements;
  return expr;
}

CallArgs::CallArgs(const ast::CallExpr &call, Diagnostics &diagnostics)
    : call_(call), diagnostics_(diagnostics), name_(nameInT(call.callee)),
      taken_(call.keywords.size(), false) {}

const ast::Expr *CallArgs::expected(const ast::Expr *at, llvm::StringRef what) {
  diagnostics_.report(DiagId::IrExpected, at->span, what);
  failed_ = true;
  return nullptr;
}

const ast::Expr *CallArgs::takePositional() {
  return position_ < call_.args.size() ? call_.args[position_++] : nullptr;
}

const ast::Expr *CallArgs::takeRequired(llvm::StringRef keyword) {
  if (const ast::Expr *value = takePositional())
    return value;
  if (const ast::Expr *value = takeKeyword(keyword))
    return value;
  diagnostics_.report(DiagId::MissingIrArgument, call_.span, name_, keyword);
  failed_ = true;
  return nullptr;
}

const ast::Expr *CallArgs::takeKeyword(llvm::StringRef keyword) {
  for (auto [index, candidate] : llvm::enumerate(call_.keywords)) {
    if (candidate.name != keyword || taken_[index])
      continue;
    taken_[index] = true;
    return candidate.value;
  }
  return nullptr;
}

int64_t CallArgs::takeInteger(llvm::StringRef keyword, int64_t absent) {
  const ast::Expr *value = takeKeyword(keyword);
  if (!value)
    return absent;
  std::optional<int64_t> literal = integerLiteral(value);
  if (!literal)
    expected(value, "an integer");
  return literal.value_or(absent);
}

bool CallArgs::takeBool(llvm::StringRef keyword, bool absent) {
  const ast::Expr *value = takeKeyword(keyword);
  if (!value)
    return absent;
  if (const auto *literal = llvm::dyn_cast<ast::BoolExpr>(value))
    return literal->value;
  expected(value, "True or False");
  return absent;
}

std::optional<llvm::StringRef> CallArgs::takeString(llvm::StringRef keyword) {
  const ast::Expr *value = takeKeyword(keyword);
  if (!value)
    return std::nullopt;
  if (const auto *literal = llvm::dyn_cast<ast::StringExpr>(value))
    return literal->value;
  expected(value, "a string");
  return std::nullopt;
}

llvm::SmallVector<int64_t> CallArgs::takeIntegers(llvm::StringRef keyword) {
  llvm::SmallVector<int64_t> values;
  const ast::Expr *list = takeKeyword(keyword);
  if (!list)
    return values;
  for (const ast::Expr *element : elementsOf(list)) {
    if (std::optional<int64_t> value = integerLiteral(element))
      values.push_back(*value);
    else
      expected(element, "an integer");
  }
  return values;
}

bool CallArgs::finish() {
  for (; position_ < call_.args.size(); ++position_) {
    diagnostics_.report(DiagId::SurplusIrArgument, call_.args[position_]->span, name_);
    failed_ = true;
  }
  for (auto [index, keyword] : llvm::enumerate(call_.keywords)) {
    if (taken_[index])
      continue;
    diagnostics_.report(DiagId::UnknownIrArgument, keyword.span, name_, keyword.name);
    failed_ = true;
  }
  return !failed_;
}

} // namespace tilescope
