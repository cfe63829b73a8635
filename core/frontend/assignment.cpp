#include "core/frontend/assignment.h"

#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/expressions.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"
#include "core/frontend/signature.h"
#include "core/frontend/subscripts.h"
#include "core/frontend/vectors.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

// All values are read before the first is stored: `a[i], a[j] = a[j], a[i]` swaps.
static void readBeforeStoring(Evaluation &evaluation, ast::ExprList targets, Values &values) {
  if (!evaluation.isKernelCode() || targets.size() < 2)
    return;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto *named = llvm::dyn_cast<ast::NameExpr>(targets[i]);
    llvm::StringRef name = named ? named->name : "old";
    if (const auto *vector = values[i].as<VectorObject>())
      values[i] = bindLanes(evaluation, name, *vector, targets[i]->span);
    else if (values[i].isExpr() && readsMemory(values[i].asExpr()))
      values[i] = Value::expr(evaluation.kernel->bind(name, values[i].asExpr(), targets[i]->span));
  }
}

static bool assign(Evaluation &evaluation, const ast::Expr *target, Value value);

static bool assignElements(Evaluation &evaluation, ast::ExprList targets, Value value, Span span) {
  std::optional<Values> values = toList(evaluation, value, span);
  if (!values)
    return false;
  const auto *star = llvm::find_if(
      targets, [](const ast::Expr *target) { return llvm::isa<ast::StarredExpr>(target); });
  bool hasStar = star != targets.end();
  size_t fixed = targets.size() - hasStar;
  if (hasStar ? values->size() < fixed : values->size() != fixed)
    return evaluation.failed(DiagId::UnpackCount, span, targets.size(), values->size());
  if (hasStar) {
    size_t before = static_cast<size_t>(star - targets.begin());
    auto first = values->begin() + static_cast<ptrdiff_t>(before);
    auto last = first + static_cast<ptrdiff_t>(values->size() - fixed);
    Value rest = evaluation.heap.list(Values(first, last));
    values->insert(values->erase(first, last), rest);
  }
  readBeforeStoring(evaluation, targets, *values);
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto *starred = llvm::dyn_cast<ast::StarredExpr>(targets[i]);
    if (!assign(evaluation, starred ? starred->value : targets[i], (*values)[i]))
      return false;
  }
  return true;
}

static bool assignSubscript(Evaluation &evaluation, const ast::SubscriptExpr &target, Value value) {
  Value object;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target.object))
    if (BufferObject *variable = evaluation.names.variableNamed(name->name))
      object = variable;
  if (!object)
    object = eval(evaluation, target.object);
  Value index = object ? evalIndex(evaluation, *target.index) : Value();
  return index && setSubscript(evaluation, object, index, value, target.span);
}

static bool assignAttribute(Evaluation &evaluation, const ast::AttributeExpr &target, Value value) {
  Value object = eval(evaluation, target.object);
  if (!object)
    return false;
  auto *instance = object.as<InstanceObject>();
  if (!instance)
    return evaluation.failed(DiagId::CannotAssign, target.span,
                             "an attribute of " + phraseFor(object));
  instance->attributes[target.name] = value;
  if (auto *buffer = value.as<BufferObject>(); buffer && evaluation.kernel)
    evaluation.kernel->nameBuffer(*buffer, target.name.ltrim('_'));
  return true;
}

static bool assign(Evaluation &evaluation, const ast::Expr *target, Value value) {
  switch (target->kind) {
  case ast::ExprKind::Name:
    return assignName(evaluation, llvm::cast<ast::NameExpr>(target)->name, value, target->span);
  case ast::ExprKind::Tuple:
    return assignElements(evaluation, llvm::cast<ast::TupleExpr>(target)->elements, value,
                          target->span);
  case ast::ExprKind::List:
    return assignElements(evaluation, llvm::cast<ast::ListExpr>(target)->elements, value,
                          target->span);
  case ast::ExprKind::Subscript:
    return assignSubscript(evaluation, *llvm::cast<ast::SubscriptExpr>(target), value);
  case ast::ExprKind::Attribute:
    return assignAttribute(evaluation, *llvm::cast<ast::AttributeExpr>(target), value);
  default:
    return evaluation.failed(DiagId::CannotAssign, target->span, "this expression");
  }
}

Flow execAssign(Evaluation &evaluation, const ast::AssignStmt &stmt) {
  Value value = eval(evaluation, stmt.value);
  if (!value)
    return Flow::Failed;
  for (const ast::Expr *target : stmt.targets)
    if (!assign(evaluation, target, value))
      return Flow::Failed;
  return Flow::Normal;
}

bool bindTarget(Evaluation &evaluation, const ast::Expr *target, Value value) {
  Env *env = evaluation.names.env;
  if (!env)
    return assign(evaluation, target, value);
  llvm::SaveAndRestore isKernel(env->isKernel, false);
  return assign(evaluation, target, value);
}

bool assignName(Evaluation &evaluation, llvm::StringRef name, Value value, Span span) {
  if (evaluation.isKernelCode())
    value = bindInKernel(evaluation, name, value, span);
  if (value)
    setName(evaluation, name, value);
  return bool(value);
}

void setName(Evaluation &evaluation, llvm::StringRef name, Value value) {
  Names &names = evaluation.names;
  Env *env = names.env;
  if (!env || env->globals.contains(name)) {
    ModuleScope &globals = *names.globals;
    ModuleScope::Binding *binding = globals.bindingAt(name, globals.running);
    if (env || !binding) {
      globals.bind(name, globals.running, value);
      return;
    }
    binding->thunk = nullptr;
    binding->value = value;
    return;
  }
  if (env->nonlocals.contains(name))
    for (Env *outer = env->parent; outer; outer = outer->parent)
      if (outer->names.contains(name)) {
        env = outer;
        break;
      }
  if (env->names.try_emplace(name).second)
    evaluation.heap.charge(name.size() + sizeof(Value));
  env->names[name] = value;
}

// Buffers in a list are named after the list: keys_0, keys_1.
static void nameElements(KernelBuilder &kernel, llvm::StringRef name, Value value) {
  const Values *items = nullptr;
  if (const auto *list = value.as<ListObject>())
    items = &list->items;
  if (const auto *tuple = value.as<TupleObject>())
    items = &tuple->items;
  if (!items)
    return;
  for (size_t i = 0; i < items->size(); ++i)
    if (auto *buffer = (*items)[i].as<BufferObject>())
      kernel.nameBuffer(*buffer, (name + "_" + llvm::Twine(i)).str());
}

Value bindInKernel(Evaluation &evaluation, llvm::StringRef name, Value value, Span span) {
  KernelBuilder &kernel = *evaluation.kernel;
  if (value.isNumber() || value.isExpr() || value.is(ValueKind::Vector)) {
    BufferObject *variable = evaluation.names.variableNamed(name);
    if (variable && variable->isVariable)
      return storeLanes(evaluation, *variable, Value::integer(0), value, span) ? Value(variable)
                                                                               : Value();
    if (variable) {
      Axis only{evaluation.ir.integer(0), evaluation.ir.integer(1), true};
      return storeElement(evaluation, *variable, only, value, span) ? Value(variable) : Value();
    }
    if (RegionObject *reference = evaluation.names.referenceNamed(name))
      return storeElement(evaluation, *reference->buffer, reference->axes, value, span)
                 ? Value(reference)
                 : Value();
  }
  if (auto *buffer = value.as<BufferObject>()) {
    kernel.nameBuffer(*buffer, name);
    return value;
  }
  nameElements(kernel, name, value);
  if (auto *tensor = value.as<TensorTypeObject>(); tensor && tensor->isOutput)
    return declareOutput(evaluation, name, *tensor, span);
  if (value.is(ValueKind::Launch))
    return evaluation.fail(DiagId::KernelWithoutWith, span);
  if (const auto *vector = value.as<VectorObject>(); vector && !kernel.atFunctionLevel())
    return bindLanes(evaluation, name, *vector, span);
  if (!value.isExpr() || llvm::isa<Var>(value.asExpr()) || kernel.atFunctionLevel())
    return value;
  return Value::expr(kernel.bind(name, value.asExpr(), span));
}

// Other names of the same list, set or dict see what `*=` and `|=` make of it.
static bool updateInPlace(Value current, Value result) {
  if (current.kind() != result.kind())
    return false;
  if (auto *list = current.as<ListObject>())
    list->items = result.as<ListObject>()->items;
  else if (auto *set = current.as<SetObject>())
    set->items = result.as<SetObject>()->items;
  else if (auto *dict = current.as<DictObject>())
    dict->items = result.as<DictObject>()->items;
  else
    return false;
  return true;
}

// What an augmented assignment starts from. A dict without the key is an error there too.
static Value evalTargetOf(Evaluation &evaluation, const ast::AugAssignStmt &stmt) {
  Value current = eval(evaluation, stmt.target);
  if (current.is(ValueKind::Region))
    return evaluation.fail(DiagId::NotSupportedYet, stmt.target->span,
                           "updating a slice of a buffer");
  return current;
}

Flow execAugAssign(Evaluation &evaluation, const ast::AugAssignStmt &stmt) {
  Value current = evalTargetOf(evaluation, stmt);
  Value value = current ? eval(evaluation, stmt.value) : Value();
  if (!value)
    return Flow::Failed;
  auto *list = current.as<ListObject>();
  if (list && stmt.op == ast::BinaryOp::Add) {
    auto append = [&](Value item) {
      list->items.push_back(item);
      return evaluation.chargeLength(list->items.size(), stmt.span);
    };
    return forEach(evaluation, value, stmt.value->span, append) ? Flow::Normal : Flow::Failed;
  }
  if (current.is(ValueKind::Buffer)) {
    evaluation.fail(DiagId::WholeBufferUpdated, stmt.target->span, reprOf(current));
    return Flow::Failed;
  }
  Value result = binary(evaluation, stmt.op, current, value, stmt.span);
  if (result && updateInPlace(current, result))
    return Flow::Normal;
  return result && assign(evaluation, stmt.target, result) ? Flow::Normal : Flow::Failed;
}

Flow execAnnAssign(Evaluation &evaluation, const ast::AnnAssignStmt &stmt) {
  if (!evaluation.isKernelCode()) {
    Value value = stmt.value ? eval(evaluation, stmt.value) : Value::none();
    if (!value)
      return Flow::Failed;
    return !stmt.value || assign(evaluation, stmt.target, value) ? Flow::Normal : Flow::Failed;
  }
  Value annotation = eval(evaluation, stmt.annotation);
  if (!annotation)
    return Flow::Failed;
  const auto *name = llvm::dyn_cast<ast::NameExpr>(stmt.target);
  if (!stmt.value)
    return name && declareTensor(evaluation, *name, annotation) ? Flow::Normal : Flow::Failed;
  Value value = eval(evaluation, stmt.value);
  if (!value)
    return Flow::Failed;
  bool isScalar = value.isNumber() || value.isExpr();
  bool isTyped = isScalar && annotation.is(ValueKind::DType);
  if (!isTyped || !name || evaluation.names.variableNamed(name->name))
    return assign(evaluation, stmt.target, value) ? Flow::Normal : Flow::Failed;
  const Expr *typed =
      toExprOf(evaluation, annotation.as<DTypeObject>()->dtype, value, stmt.value->span);
  if (!typed)
    return Flow::Failed;
  return assignName(evaluation, name->name, Value::expr(typed), stmt.span) ? Flow::Normal
                                                                           : Flow::Failed;
}

} // namespace tilescope::frontend
