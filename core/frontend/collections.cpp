#include "core/frontend/collections.h"

#include "core/frontend/builtins.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static bool addToSet(Evaluation &evaluation, SetObject &set, Value item, Span span) {
  if (!isHashable(item))
    return evaluation.failed(DiagId::NotHashable, span, phraseFor(item));
  for (const Value &other : set.items)
    if (areEqual(evaluation, other, item))
      return true;
  set.items.push_back(item);
  evaluation.heap.charge(sizeof(Value));
  return true;
}

Value makeSet(Evaluation &evaluation, const Values &items, Span span) {
  auto *set = evaluation.heap.make<SetObject>();
  for (const Value &item : items)
    if (!addToSet(evaluation, *set, item, span))
      return Value();
  return set;
}

bool setItem(Evaluation &evaluation, DictObject &dict, Value key, Value value, Span span) {
  if (!isHashable(key))
    return evaluation.failed(DiagId::NotHashable, span, phraseFor(key));
  if (Value *slot = findItem(evaluation, dict, key)) {
    *slot = value;
    return true;
  }
  dict.items.push_back({key, value});
  evaluation.heap.charge(2 * sizeof(Value));
  return true;
}

Value *findItem(Evaluation &evaluation, DictObject &dict, const Value &key) {
  // Dicts of kernels are small; a long search costs steps.
  for (auto &[other, value] : dict.items)
    if (areEqual(evaluation, other, key))
      return &value;
  return nullptr;
}

static bool holds(Evaluation &evaluation, const SetObject &set, const Value &item) {
  return llvm::any_of(set.items,
                      [&](const Value &other) { return areEqual(evaluation, other, item); });
}

// The items of `from` that `set` holds, or does not.
static Values pick(Evaluation &evaluation, const SetObject &from, const SetObject &set,
                   bool areHeld) {
  Values picked;
  for (const Value &item : from.items)
    if (holds(evaluation, set, item) == areHeld)
      picked.push_back(item);
  return picked;
}

Value binarySets(Evaluation &evaluation, ast::BinaryOp op, SetObject &lhs, SetObject &rhs,
                 Span span) {
  using Op = ast::BinaryOp;
  bool isSetOperator = op == Op::BitOr || op == Op::BitAnd || op == Op::BitXor || op == Op::Sub;
  if (!isSetOperator)
    return unsupportedOperands(evaluation, ast::spelling(op), &lhs, &rhs, span);
  Values items = op == Op::BitOr ? lhs.items : pick(evaluation, lhs, rhs, op == Op::BitAnd);
  if (op == Op::BitOr || op == Op::BitXor)
    llvm::append_range(items, pick(evaluation, rhs, lhs, false));
  if (evaluation.isDead || !evaluation.chargeLength(items.size(), span))
    return Value();
  auto *result = evaluation.heap.make<SetObject>();
  result->items = std::move(items);
  evaluation.heap.charge(result->items.size() * sizeof(Value));
  return result;
}

// `<` is a part of and not equal to.
Value compareSets(Evaluation &evaluation, ast::CompareOp op, SetObject &lhs, SetObject &rhs) {
  using Op = ast::CompareOp;
  bool isLess = op == Op::Lt || op == Op::Le;
  const SetObject &part = isLess ? lhs : rhs;
  const SetObject &whole = isLess ? rhs : lhs;
  bool isStrict = op == Op::Lt || op == Op::Gt;
  bool isPart =
      llvm::all_of(part.items, [&](const Value &item) { return holds(evaluation, whole, item); });
  bool result = isPart && (!isStrict || part.items.size() < whole.items.size());
  return evaluation.isDead ? Value() : Value::boolean(result);
}

Value mergeDicts(Evaluation &evaluation, const DictObject &lhs, const DictObject &rhs, Span span) {
  auto *result = evaluation.heap.make<DictObject>();
  for (const DictObject *dict : {&lhs, &rhs})
    for (const auto &[key, value] : dict->items)
      if (!setItem(evaluation, *result, key, value, span))
        return Value();
  return result;
}

static SetObject &selfSet(const Args &args) { return *args.self.as<SetObject>(); }

Value setAdd(Args &args) {
  return addToSet(args.evaluation, selfSet(args), args["item"], args.span) ? Value::none()
                                                                           : Value();
}

Value setUpdate(Args &args) {
  for (const Arg &arg : args.rest)
    if (!forEach(args.evaluation, arg.value, arg.span, [&](Value item) {
          return addToSet(args.evaluation, selfSet(args), item, args.span);
        }))
      return Value();
  return Value::none();
}

Value setDiscard(Args &args) {
  llvm::erase_if(selfSet(args).items,
                 [&](const Value &item) { return areEqual(args.evaluation, item, args["item"]); });
  return Value::none();
}

Value setRemove(Args &args) {
  if (!holds(args.evaluation, selfSet(args), args["item"]))
    return args.evaluation.fail(DiagId::KeyNotFound, args.span, reprOf(args["item"]));
  return setDiscard(args);
}

// `a.union(b)` is `a | set(b)`.
static Value combine(Args &args, ast::BinaryOp op) {
  Value result = args.self;
  for (const Arg &arg : args.rest) {
    std::optional<Values> items = toList(args.evaluation, arg.value, arg.span);
    Value other = items ? makeSet(args.evaluation, *items, arg.span) : Value();
    result = other ? binary(args.evaluation, op, result, other, args.span) : Value();
    if (!result)
      return Value();
  }
  return result;
}

Value setUnion(Args &args) { return combine(args, ast::BinaryOp::BitOr); }
Value setIntersection(Args &args) { return combine(args, ast::BinaryOp::BitAnd); }
Value setDifference(Args &args) { return combine(args, ast::BinaryOp::Sub); }

} // namespace tilescope::frontend
