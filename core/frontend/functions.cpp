// Functions, lambdas, classes and decorators.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

Value Interpreter::makeFunction(const ast::FunctionDefStmt &def, bool isTopLevel) {
  auto *function = heap_.make<FunctionObject>();
  function->name = def.name.str();
  function->params = def.params;
  function->def = &def;
  function->closure = env_;
  function->span = def.nameSpan;
  function->defaults.resize(def.params.size());
  for (const ast::Expr *decorator : def.decorators)
    applyDecorator(*function, decorator);
  // At the top level defaults wait until they are needed: they may be part of code that only runs
  // on the host.
  for (size_t i = 0; !isTopLevel && i < def.params.size(); ++i)
    if (def.params[i].defaultValue && !defaultOf(*function, i))
      return Value();
  return function;
}

Value Interpreter::makeLambda(const ast::LambdaExpr &lambda) {
  auto *function = heap_.make<FunctionObject>();
  function->name = "<lambda>";
  function->params = lambda.params;
  function->lambdaBody = lambda.body;
  function->closure = env_;
  function->span = lambda.span;
  function->defaults.resize(lambda.params.size());
  for (size_t i = 0; i < lambda.params.size(); ++i)
    if (lambda.params[i].defaultValue && !defaultOf(*function, i))
      return Value();
  return function;
}

Value Interpreter::defaultOf(FunctionObject &function, size_t index) {
  Value &value = function.defaults[index];
  if (!value)
    value = evalIn(function.closure, function.params[index].defaultValue);
  return value;
}

// The function that a decorator names, without evaluating anything: decorators' arguments often
// belong to the host (`autotune(configs=...)`). Invalid if it is nothing we know.
Value Interpreter::decoratorCallee(const ast::Expr *decorator) {
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(decorator))
    return decoratorCallee(call->callee);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(decorator)) {
    for (Env *env = env_; env; env = env->parent)
      if (auto found = env->names.find(name->name); found != env->names.end())
        return found->second;
    ModuleScope::Binding *binding = globals_.find(name->name, SIZE_MAX);
    return binding && !binding->thunk ? binding->value : Value();
  }
  if (const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(decorator)) {
    Value object = decoratorCallee(attribute->object);
    if (auto *space = object.as<NamespaceObject>())
      return namespaceMember(space->path, attribute->name, decorator->span);
  }
  return Value();
}

void Interpreter::applyDecorator(FunctionObject &function, const ast::Expr *decorator) {
  Value callee = decoratorCallee(decorator);
  if (callee.is(ValueKind::Function)) {
    fail(DiagId::DecoratorIgnored, decorator->span, callee.as<FunctionObject>()->name,
         function.name);
    return;
  }
  const auto *builtin = callee.as<BuiltinObject>();
  if (!builtin)
    return;
  llvm::StringRef name = builtin->info.name;
  if (name == "prim_func") {
    function.role = FunctionRole::PrimFunc;
  } else if (name == "macro") {
    function.role = FunctionRole::Macro;
  } else if (name == "jit" || name == "lazy_jit") {
    function.role = FunctionRole::Jit;
    function.jitCall = llvm::dyn_cast<ast::CallExpr>(decorator);
  }
}

Value Interpreter::makeClass(const ast::ClassDefStmt &def) {
  auto *type = heap_.make<ClassObject>();
  type->name = def.name.str();
  if (!evalElements(def.bases, type->bases))
    return Value();
  Env *env = newEnv(env_);
  env->isClass = true;
  Env *saved = std::exchange(env_, env);
  Flow flow = execBlock(def.body);
  env_ = saved;
  if (flow != Flow::Normal)
    return Value();
  for (auto &[name, value] : env->names)
    type->members[name] = value;
  return type;
}

// Deeper chains of bases than anyone writes; a class may name itself as its base.
constexpr unsigned MaxBaseDepth = 20;

Value Interpreter::memberOf(ClassObject &type, llvm::StringRef name, unsigned depth) {
  auto found = type.members.find(name);
  if (found != type.members.end())
    return found->second;
  if (depth == MaxBaseDepth)
    return Value();
  for (const Value &base : type.bases)
    if (auto *inherited = base.as<ClassObject>())
      if (Value member = memberOf(*inherited, name, depth + 1))
        return member;
  return Value();
}

bool isSubclass(const ClassObject &type, const ClassObject &base, unsigned depth) {
  if (&type == &base)
    return true;
  return depth < MaxBaseDepth && llvm::any_of(
                                     type.bases,
                                     [&](const Value &parent) {
                                       const auto *inherited = parent.as<ClassObject>();
                                       return inherited && isSubclass(*inherited, base, depth + 1);
                                     });
}

FunctionRole Interpreter::roleOf(const ast::FunctionDefStmt &def) {
  FunctionObject function;
  function.name = def.name.str();
  Diagnostics unread;
  Diagnostics *saved = std::exchange(diagnostics_, &unread);
  for (const ast::Expr *decorator : def.decorators)
    applyDecorator(function, decorator);
  diagnostics_ = saved;
  return function.role;
}

Value Interpreter::instantiate(ClassObject &type, llvm::ArrayRef<Argument> arguments, Span span) {
  auto *instance = heap_.make<InstanceObject>(&type);
  Value init = memberOf(type, "__init__");
  if (auto *function = init.as<FunctionObject>()) {
    llvm::SmallVector<Argument, 4> all{{"", instance, span}};
    all.append(arguments.begin(), arguments.end());
    if (!callWithOwnScope(*function, all, span))
      return Value();
  } else if (!arguments.empty()) {
    return fail(DiagId::TooManyArguments, arguments[0].span, type.name, 0, "");
  }
  return instance;
}

} // namespace tilescope::frontend
