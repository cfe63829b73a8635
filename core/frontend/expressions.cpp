#include "core/frontend/expressions.h"

#include "core/frontend/assignment.h"
#include "core/frontend/attributes.h"
#include "core/frontend/buffers.h"
#include "core/frontend/calls.h"
#include "core/frontend/collections.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/formatting.h"
#include "core/frontend/functions.h"
#include "core/frontend/generators.h"
#include "core/frontend/integers.h"
#include "core/frontend/iteration.h"
#include "core/frontend/module.h"
#include "core/frontend/operators.h"
#include "core/frontend/subscripts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

Value evalIn(Evaluation &evaluation, Closure place, const ast::Expr *expr) {
  StandAt standAt(evaluation.names, place);
  return eval(evaluation, expr);
}

static Value evalName(Evaluation &evaluation, const ast::NameExpr &name) {
  Value value = lookUp(evaluation, name.name, name.span);
  if (!evaluation.names.isKernelScope())
    return value;
  if (value.isExpr()) {
    const auto *var = llvm::dyn_cast<Var>(value.asExpr());
    if (var && evaluation.kernel && !evaluation.kernel->isVisible(var))
      return evaluation.fail(DiagId::VariableOutOfScope, name.span, name.name);
  }
  return loadVariable(evaluation, value);
}

static Value evalInt(Evaluation &evaluation, const ast::IntExpr &literal) {
  if (literal.fits && literal.magnitude <= static_cast<uint64_t>(INT64_MAX))
    return Value::integer(static_cast<int64_t>(literal.magnitude));
  std::string digits = literal.text.lower();
  llvm::erase(digits, '_');
  llvm::StringRef rest = digits;
  unsigned radix = rest.consume_front("0x")   ? 16
                   : rest.consume_front("0o") ? 8
                   : rest.consume_front("0b") ? 2
                                              : 10;
  return integerOf(evaluation, rest, radix, literal.span);
}

static Value evalSequence(Evaluation &evaluation, const ast::Expr &expr) {
  Values items;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr))
    return evalElements(evaluation, tuple->elements, items)
               ? evaluation.heap.tuple(std::move(items))
               : Value();
  if (const auto *list = llvm::dyn_cast<ast::ListExpr>(&expr))
    return evalElements(evaluation, list->elements, items) ? evaluation.heap.list(std::move(items))
                                                           : Value();
  if (!evalElements(evaluation, llvm::cast<ast::SetExpr>(expr).elements, items))
    return Value();
  return makeSet(evaluation, items, expr.span);
}

static Value evalDict(Evaluation &evaluation, const ast::DictExpr &expr) {
  auto *dict = evaluation.heap.make<DictObject>();
  for (const ast::DictItem &item : expr.items) {
    Value key = item.key ? eval(evaluation, item.key) : Value::none();
    Value value = key ? eval(evaluation, item.value) : Value();
    if (!value)
      return Value();
    if (item.key) {
      if (!setItem(evaluation, *dict, key, value, item.key->span))
        return Value();
      continue;
    }
    auto *other = value.as<DictObject>();
    if (!other)
      return evaluation.fail(DiagId::WrongType, item.value->span, "a dict behind '**'",
                             phraseFor(value));
    for (const auto &[otherKey, otherValue] : other->items)
      setItem(evaluation, *dict, otherKey, otherValue, item.value->span);
  }
  return dict;
}

static Value evalUnary(Evaluation &evaluation, const ast::UnaryExpr &expr) {
  Value operand = eval(evaluation, expr.operand);
  if (!operand)
    return Value();
  return unary(evaluation, expr.op, operand, expr.span);
}

static Value evalBinary(Evaluation &evaluation, const ast::BinaryExpr &expr) {
  Value lhs = eval(evaluation, expr.lhs);
  Value rhs = lhs ? eval(evaluation, expr.rhs) : Value();
  return rhs ? binary(evaluation, expr.op, lhs, rhs, expr.span) : Value();
}

// Python values decide at once and give the operand itself; expressions build `and` and `or`.
static Value evalBoolOp(Evaluation &evaluation, const ast::BoolOpExpr &expr) {
  Value result;
  for (const ast::Expr *operand : expr.operands) {
    Value value = eval(evaluation, operand);
    if (!value)
      return Value();
    bool isCondition = value.isExpr();
    if (result && result.isExpr()) {
      const Expr *lhs = toCondition(evaluation, result, expr.span);
      const Expr *rhs = toCondition(evaluation, value, operand->span);
      if (!lhs || !rhs)
        return Value();
      result = fromExpr(evaluation,
                        evaluation.ir.binary(expr.isAnd ? BinaryOp::And : BinaryOp::Or, lhs, rhs),
                        expr.span);
    } else {
      result = value;
    }
    if (isCondition || result.isExpr())
      continue;
    std::optional<bool> truth = truthOf(evaluation, result, operand->span);
    if (!truth)
      return Value();
    if (*truth != expr.isAnd)
      return result;
  }
  return result;
}

static Value evalCompare(Evaluation &evaluation, const ast::CompareExpr &expr) {
  Value result;
  Value lhs = eval(evaluation, expr.operands[0]);
  for (size_t i = 0; lhs && i < expr.ops.size(); ++i) {
    Value rhs = eval(evaluation, expr.operands[i + 1]);
    Value link = rhs ? compare(evaluation, expr.ops[i], lhs, rhs, expr.span) : Value();
    if (!link)
      return Value();
    if (result && (result.isExpr() || link.isExpr())) {
      result = fromExpr(evaluation,
                        evaluation.ir.logicalAnd(toCondition(evaluation, result, expr.span),
                                                 toCondition(evaluation, link, expr.span)),
                        expr.span);
    } else {
      result = link;
    }
    if (!result || (result.isBool() && !result.asBool()))
      return result;
    lhs = rhs;
  }
  return lhs ? result : Value();
}

static Value evalConditional(Evaluation &evaluation, const ast::ConditionalExpr &expr) {
  Value condition = eval(evaluation, expr.condition);
  if (!condition)
    return Value();
  if (!condition.isExpr()) {
    std::optional<bool> truth = truthOf(evaluation, condition, expr.condition->span);
    if (!truth)
      return Value();
    return eval(evaluation, *truth ? expr.then : expr.otherwise);
  }
  if (!evaluation.requireKernelCode(expr.condition->span))
    return Value();
  Value then = eval(evaluation, expr.then);
  Value otherwise = then ? eval(evaluation, expr.otherwise) : Value();
  if (!otherwise)
    return Value();
  return select(evaluation, condition, then, otherwise, expr.span);
}

static Value evalAttribute(Evaluation &evaluation, const ast::AttributeExpr &expr) {
  Value object = eval(evaluation, expr.object);
  return object ? attribute(evaluation, object, expr.name, expr.span) : Value();
}

static Value evalSubscript(Evaluation &evaluation, const ast::SubscriptExpr &expr) {
  // `v[0]` of a mutable variable is the variable, not an element of its value.
  Value object;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr.object))
    if (BufferObject *variable = evaluation.names.variableNamed(name->name))
      object = variable;
  if (!object)
    object = eval(evaluation, expr.object);
  Value index = object ? evalIndex(evaluation, *expr.index) : Value();
  return index ? subscript(evaluation, object, index, expr.span) : Value();
}

static Value evalWalrus(Evaluation &evaluation, const ast::WalrusExpr &expr) {
  Value value = eval(evaluation, expr.value);
  if (!value || !assignName(evaluation, expr.name, value, expr.span))
    return Value();
  return lookUp(evaluation, expr.name, expr.span);
}

static bool runClauses(Evaluation &evaluation, const ast::ComprehensionExpr &expr, size_t index,
                       llvm::function_ref<bool()> visit) {
  if (index == expr.clauses.size())
    return visit();
  if (evaluation.depth >= MaxEvalDepth)
    return static_cast<bool>(evaluation.failForGood(DiagId::EvalTooDeep, expr.span, MaxEvalDepth));
  llvm::SaveAndRestore depth(evaluation.depth, evaluation.depth + 1);
  const ast::ComprehensionClause &clause = expr.clauses[index];
  Value iterable = eval(evaluation, clause.iter);
  if (!iterable)
    return false;
  return forEach(evaluation, iterable, clause.iter->span, [&](Value item) {
    if (!bindTarget(evaluation, clause.target, item))
      return false;
    for (const ast::Expr *condition : clause.conditions) {
      Value value = eval(evaluation, condition);
      std::optional<bool> truth =
          value ? truthOf(evaluation, value, condition->span) : std::nullopt;
      if (!truth)
        return false;
      if (!*truth)
        return true;
    }
    return runClauses(evaluation, expr, index + 1, visit);
  });
}

static Value evalComprehension(Evaluation &evaluation, const ast::ComprehensionExpr &expr) {
  Env *env = newEnv(evaluation, evaluation.names.env);
  env->isKernel = evaluation.names.isKernelScope();
  llvm::SaveAndRestore scope(evaluation.names.env, env);
  Values items;
  DictObject *dict =
      expr.form == ast::ComprehensionKind::Dict ? evaluation.heap.make<DictObject>() : nullptr;
  bool done = runClauses(evaluation, expr, 0, [&] {
    Value element = eval(evaluation, expr.element);
    if (!element || !evaluation.chargeLength(items.size() + 1, expr.span))
      return false;
    if (!dict) {
      items.push_back(element);
      return true;
    }
    Value value = eval(evaluation, expr.value);
    return value && setItem(evaluation, *dict, element, value, expr.span);
  });
  if (!done)
    return Value();
  if (dict)
    return dict;
  if (expr.form == ast::ComprehensionKind::Set)
    return makeSet(evaluation, items, expr.span);
  if (expr.form == ast::ComprehensionKind::Generator)
    return iteratorOver(evaluation, std::move(items));
  return evaluation.heap.list(std::move(items));
}

static Value evalExpression(Evaluation &evaluation, const ast::Expr *expr) {
  using ast::ExprKind;
  switch (expr->kind) {
  case ExprKind::Name:
    return evalName(evaluation, *llvm::cast<ast::NameExpr>(expr));
  case ExprKind::None:
    return Value::none();
  case ExprKind::Bool:
    return Value::boolean(llvm::cast<ast::BoolExpr>(expr)->value);
  case ExprKind::Int:
    return evalInt(evaluation, *llvm::cast<ast::IntExpr>(expr));
  case ExprKind::Float:
    return Value::floating(llvm::cast<ast::FloatExpr>(expr)->value);
  case ExprKind::String:
    return evaluation.heap.string(llvm::cast<ast::StringExpr>(expr)->value.str());
  case ExprKind::Ellipsis:
    return Value::ellipsis();
  case ExprKind::FString:
    return evalFString(evaluation, *llvm::cast<ast::FStringExpr>(expr));
  case ExprKind::Tuple:
  case ExprKind::List:
  case ExprKind::Set:
    return evalSequence(evaluation, *expr);
  case ExprKind::Dict:
    return evalDict(evaluation, *llvm::cast<ast::DictExpr>(expr));
  case ExprKind::Unary:
    return evalUnary(evaluation, *llvm::cast<ast::UnaryExpr>(expr));
  case ExprKind::Binary:
    return evalBinary(evaluation, *llvm::cast<ast::BinaryExpr>(expr));
  case ExprKind::BoolOp:
    return evalBoolOp(evaluation, *llvm::cast<ast::BoolOpExpr>(expr));
  case ExprKind::Compare:
    return evalCompare(evaluation, *llvm::cast<ast::CompareExpr>(expr));
  case ExprKind::Conditional:
    return evalConditional(evaluation, *llvm::cast<ast::ConditionalExpr>(expr));
  case ExprKind::Lambda:
    return makeLambda(evaluation, *llvm::cast<ast::LambdaExpr>(expr));
  case ExprKind::Comprehension:
    return evalComprehension(evaluation, *llvm::cast<ast::ComprehensionExpr>(expr));
  case ExprKind::Call:
    return evalCall(evaluation, *llvm::cast<ast::CallExpr>(expr));
  case ExprKind::Attribute:
    return evalAttribute(evaluation, *llvm::cast<ast::AttributeExpr>(expr));
  case ExprKind::Subscript:
    return evalSubscript(evaluation, *llvm::cast<ast::SubscriptExpr>(expr));
  case ExprKind::Slice:
  case ExprKind::Starred:
    return evaluation.fail(DiagId::NotSupportedYet, expr->span, "this use of '*' or ':'");
  case ExprKind::Walrus:
    return evalWalrus(evaluation, *llvm::cast<ast::WalrusExpr>(expr));
  }
  return Value();
}

Value eval(Evaluation &evaluation, const ast::Expr *expr) {
  if (!evaluation.step(expr->span))
    return Value();
  if (evaluation.depth >= MaxEvalDepth)
    return evaluation.failForGood(DiagId::EvalTooDeep, expr->span, MaxEvalDepth);
  ++evaluation.depth;
  Value value = evalExpression(evaluation, expr);
  --evaluation.depth;
  // The error behind a poisoned value is reported already.
  return value.is(ValueKind::Poison) ? Value() : value;
}

bool evalElements(Evaluation &evaluation, ast::ExprList elements, Values &out) {
  for (const ast::Expr *element : elements) {
    if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(element)) {
      Value items = eval(evaluation, starred->value);
      auto add = [&](Value item) {
        out.push_back(item);
        return true;
      };
      if (!items || !forEach(evaluation, items, element->span, add))
        return false;
      continue;
    }
    Value value = eval(evaluation, element);
    if (!value)
      return false;
    out.push_back(value);
  }
  return true;
}

Value evalIndex(Evaluation &evaluation, const ast::Expr &index) {
  if (const auto *slice = llvm::dyn_cast<ast::SliceExpr>(&index)) {
    Value parts[3];
    const ast::Expr *sources[3] = {slice->start, slice->stop, slice->step};
    for (unsigned i = 0; i < 3; ++i) {
      parts[i] = sources[i] ? eval(evaluation, sources[i]) : Value::none();
      if (!parts[i])
        return Value();
    }
    return evaluation.heap.make<SliceObject>(parts[0], parts[1], parts[2]);
  }
  const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&index);
  if (!tuple)
    return eval(evaluation, &index);
  Values items;
  for (const ast::Expr *element : tuple->elements) {
    if (llvm::isa<ast::StarredExpr>(element)) {
      if (!evalElements(evaluation, element, items))
        return Value();
      continue;
    }
    Value value = evalIndex(evaluation, *element);
    if (!value)
      return Value();
    items.push_back(value);
  }
  return evaluation.heap.tuple(std::move(items));
}

} // namespace tilescope::frontend
