// Assignment. In kernel code the first name of a buffer becomes the buffer's name, an expression
// is bound to a variable of the device, and assigning to a mutable variable stores into it.
#include "core/frontend/interpreter.h"

#include "core/ir/visit.h"

namespace tilescope::frontend {

Flow Interpreter::execAssign(const ast::AssignStmt &stmt) {
  Value value = eval(stmt.value);
  if (!value)
    return Flow::Failed;
  for (const ast::Expr *target : stmt.targets)
    if (!assign(target, value))
      return Flow::Failed;
  return Flow::Normal;
}

bool Interpreter::assign(const ast::Expr *target, Value value) {
  switch (target->kind) {
  case ast::ExprKind::Name:
    return assignName(llvm::cast<ast::NameExpr>(target)->name, value, target->span);
  case ast::ExprKind::Tuple:
    return assignElements(llvm::cast<ast::TupleExpr>(target)->elements, value, target->span);
  case ast::ExprKind::List:
    return assignElements(llvm::cast<ast::ListExpr>(target)->elements, value, target->span);
  case ast::ExprKind::Subscript:
    return assignSubscript(*llvm::cast<ast::SubscriptExpr>(target), value);
  case ast::ExprKind::Attribute:
    return assignAttribute(*llvm::cast<ast::AttributeExpr>(target), value);
  default:
    return failed(DiagId::CannotAssign, target->span, "this expression");
  }
}

// Binds loop variables and the like: names stand for the values themselves.
bool Interpreter::bindTarget(const ast::Expr *target, Value value) {
  bool wasKernel = env_ && env_->isKernel;
  if (env_)
    env_->isKernel = false;
  bool done = assign(target, value);
  if (env_)
    env_->isKernel = wasKernel;
  return done;
}

bool Interpreter::assignName(llvm::StringRef name, Value value, Span span) {
  if (env_ && env_->isKernel && kernel_)
    value = bindInKernel(name, value, span);
  return value && setName(name, value);
}

bool Interpreter::setName(llvm::StringRef name, Value value) {
  if (!env_ || env_->globals.contains(name)) {
    ModuleScope::Binding *binding = globals_.bindingAt(name, thunkPosition_);
    if (env_ || !binding) {
      globals_.bind(name, thunkPosition_, value);
      return true;
    }
    binding->thunk = nullptr;
    binding->value = value;
    return true;
  }
  Env *env = env_;
  if (env->nonlocals.contains(name))
    for (Env *outer = env->parent; outer; outer = outer->parent)
      if (outer->names.contains(name)) {
        env = outer;
        break;
      }
  if (env->names.try_emplace(name).second)
    heap_.charge(name.size() + sizeof(Value));
  env->names[name] = value;
  return true;
}

Value *Interpreter::findLocal(llvm::StringRef name) {
  for (Env *env = env_; env; env = env->parent)
    if (auto found = env->names.find(name); found != env->names.end())
      return &found->second;
  return nullptr;
}

BufferObject *Interpreter::variableNamed(llvm::StringRef name) {
  Value *value = findLocal(name);
  BufferObject *buffer = value ? value->as<BufferObject>() : nullptr;
  return buffer && buffer->draft.scope == Scope::LocalVar ? buffer : nullptr;
}

// The reference that `name` is bound to: a mutable variable, or a macro's T.Ref parameter.
RegionObject *Interpreter::referenceNamed(llvm::StringRef name) {
  Value *value = findLocal(name);
  RegionObject *region = value ? value->as<RegionObject>() : nullptr;
  return region && region->isReference ? region : nullptr;
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

Value Interpreter::bindInKernel(llvm::StringRef name, Value value, Span span) {
  if (value.isNumber() || value.isExpr()) {
    if (BufferObject *variable = variableNamed(name)) {
      Axis only{ir().integer(0), ir().integer(1), true};
      return storeElement(*variable, only, value, span) ? Value(variable) : Value();
    }
    if (RegionObject *reference = referenceNamed(name))
      return storeElement(*reference->buffer, reference->axes, value, span) ? Value(reference)
                                                                            : Value();
  }
  if (auto *buffer = value.as<BufferObject>()) {
    kernel_->nameBuffer(*buffer, name);
    return value;
  }
  nameElements(*kernel_, name, value);
  if (auto *tensor = value.as<TensorTypeObject>(); tensor && tensor->isOutput)
    return declareOutput(name, *tensor, span);
  if (value.is(ValueKind::Launch))
    return fail(DiagId::KernelWithoutWith, span);
  if (!value.isExpr() || llvm::isa<Var>(value.asExpr()) || kernel_->atFunctionLevel())
    return value;
  return Value::expr(kernel_->bind(name, value.asExpr(), span));
}

static bool readsMemory(const Expr *expr) {
  bool reads = false;
  walk(expr, [&](const Expr *node) { reads |= llvm::isa<Load>(node); });
  return reads;
}

// All values are read before the first is stored: `a[i], a[j] = a[j], a[i]` swaps.
void Interpreter::readBeforeStoring(ast::ExprList targets, Values &values) {
  if (!env_ || !env_->isKernel || !kernel_ || targets.size() < 2)
    return;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].isExpr() || !readsMemory(values[i].asExpr()))
      continue;
    const auto *name = llvm::dyn_cast<ast::NameExpr>(targets[i]);
    values[i] =
        Value::expr(kernel_->bind(name ? name->name : "old", values[i].asExpr(), targets[i]->span));
  }
}

bool Interpreter::assignElements(ast::ExprList targets, Value value, Span span) {
  std::optional<Values> values = toList(value, span);
  if (!values)
    return false;
  const auto *star = llvm::find_if(
      targets, [](const ast::Expr *target) { return llvm::isa<ast::StarredExpr>(target); });
  bool hasStar = star != targets.end();
  size_t fixed = targets.size() - hasStar;
  if (hasStar ? values->size() < fixed : values->size() != fixed)
    return failed(DiagId::UnpackCount, span, targets.size(), values->size());
  if (hasStar) {
    size_t before = static_cast<size_t>(star - targets.begin());
    auto first = values->begin() + static_cast<ptrdiff_t>(before);
    auto last = first + static_cast<ptrdiff_t>(values->size() - fixed);
    Value rest = heap_.list(Values(first, last));
    values->insert(values->erase(first, last), rest);
  }
  readBeforeStoring(targets, *values);
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto *starred = llvm::dyn_cast<ast::StarredExpr>(targets[i]);
    if (!assign(starred ? starred->value : targets[i], (*values)[i]))
      return false;
  }
  return true;
}

bool Interpreter::assignSubscript(const ast::SubscriptExpr &target, Value value) {
  Value object;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target.object))
    if (BufferObject *variable = variableNamed(name->name))
      object = variable;
  if (!object)
    object = eval(target.object);
  Value index = object ? evalIndex(*target.index) : Value();
  return index && setSubscript(object, index, value, target.span);
}

bool Interpreter::assignAttribute(const ast::AttributeExpr &target, Value value) {
  Value object = eval(target.object);
  if (!object)
    return false;
  auto *instance = object.as<InstanceObject>();
  if (!instance)
    return failed(DiagId::CannotAssign, target.span, "an attribute of " + phraseFor(object));
  instance->attributes[target.name] = value;
  return true;
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

Flow Interpreter::execAugAssign(const ast::AugAssignStmt &stmt) {
  Value current = evalTargetOf(stmt);
  Value value = current ? eval(stmt.value) : Value();
  if (!value)
    return Flow::Failed;
  auto *list = current.as<ListObject>();
  if (list && stmt.op == ast::BinaryOp::Add) {
    auto append = [&](Value item) {
      list->items.push_back(item);
      return chargeLength(list->items.size(), stmt.span);
    };
    return forEach(value, stmt.value->span, append) ? Flow::Normal : Flow::Failed;
  }
  if (current.is(ValueKind::Buffer)) {
    fail(DiagId::WholeBufferUpdated, stmt.target->span, reprOf(current));
    return Flow::Failed;
  }
  Value result = binary(stmt.op, current, value, stmt.span);
  if (result && updateInPlace(current, result))
    return Flow::Normal;
  return result && assign(stmt.target, result) ? Flow::Normal : Flow::Failed;
}

// What an augmented assignment starts from. A dict without the key is an error there too.
Value Interpreter::evalTargetOf(const ast::AugAssignStmt &stmt) {
  Value current = eval(stmt.target);
  if (current.is(ValueKind::Region))
    return fail(DiagId::NotSupportedYet, stmt.target->span, "updating a slice of a buffer");
  return current;
}

Flow Interpreter::execAnnAssign(const ast::AnnAssignStmt &stmt) {
  bool isKernelCode = env_ && env_->isKernel && kernel_;
  if (!isKernelCode) {
    Value value = stmt.value ? eval(stmt.value) : Value::none();
    if (!value)
      return Flow::Failed;
    return !stmt.value || assign(stmt.target, value) ? Flow::Normal : Flow::Failed;
  }
  Value annotation = eval(stmt.annotation);
  if (!annotation)
    return Flow::Failed;
  const auto *name = llvm::dyn_cast<ast::NameExpr>(stmt.target);
  if (!stmt.value)
    return name && declareTensor(*name, annotation) ? Flow::Normal : Flow::Failed;
  Value value = eval(stmt.value);
  if (!value)
    return Flow::Failed;
  bool isScalar = value.isNumber() || value.isExpr();
  bool isTyped = isScalar && annotation.is(ValueKind::DType);
  if (!isTyped || !name || variableNamed(name->name))
    return assign(stmt.target, value) ? Flow::Normal : Flow::Failed;
  const Expr *typed = toExprOf(annotation.as<DTypeObject>()->dtype, value, stmt.value->span);
  if (!typed)
    return Flow::Failed;
  return assignName(name->name, Value::expr(typed), stmt.span) ? Flow::Normal : Flow::Failed;
}

} // namespace tilescope::frontend
