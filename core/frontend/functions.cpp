// Functions, lambdas, classes and decorators.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

// Bases that give a class a meaning of its own.
static bool isEnumBase(const Value &base) {
  const auto *opaque = base.as<OpaqueObject>();
  const auto *type = base.as<ClassObject>();
  return (opaque && llvm::StringRef(opaque->path).starts_with("enum.")) || (type && type->isEnum);
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
  bool isEnum = llvm::any_of(type->bases, isEnumBase);
  if (isEnum ? !makeEnum(*type, def) : !makeDataclass(*type, def))
    return Value();
  return type;
}

// `@dataclass`: the annotated names of the body, behind those of the bases, are parameters of
// `__init__`.
bool Interpreter::makeDataclass(ClassObject &type, const ast::ClassDefStmt &def) {
  for (const ast::Expr *decorator : def.decorators) {
    Value callee = decoratorCallee(decorator);
    const auto *builtin = callee.as<BuiltinObject>();
    if (!builtin || builtin->info.name != "dataclass")
      return failed(DiagId::NotSupportedYet, decorator->span, "this decorator of a class");
    type.isDataclass = true;
  }
  if (!type.isDataclass)
    return true;
  for (const Value &base : type.bases)
    if (const auto *inherited = base.as<ClassObject>())
      llvm::append_range(type.fields, inherited->fields);
  for (const ast::Stmt *stmt : def.body) {
    const auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
    const auto *name = annotated ? llvm::dyn_cast<ast::NameExpr>(annotated->target) : nullptr;
    if (name && !llvm::is_contained(type.fields, name->name))
      type.fields.push_back(name->name.str());
  }
  return true;
}

// A class below `enum.Enum`: what its body assigns are its members.
bool Interpreter::makeEnum(ClassObject &type, const ast::ClassDefStmt &def) {
  for (const Value &base : type.bases)
    if (const auto *opaque = base.as<OpaqueObject>(); opaque && opaque->path != "enum.Enum")
      return failed(DiagId::NotSupportedYet, def.nameSpan, "a class below '" + opaque->path + "'");
  type.isEnum = true;
  for (auto &member : type.members) {
    bool isMember = !member.second.is(ValueKind::Function) && !member.first().starts_with("_");
    if (!isMember)
      continue;
    auto *object = heap_.make<EnumObject>(type.name, member.first());
    object->value = member.second;
    member.second = object;
  }
  return true;
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

// `Colour(2)`: the member with that value.
Value Interpreter::enumMemberOf(ClassObject &type, llvm::ArrayRef<Argument> arguments, Span span) {
  if (arguments.size() != 1)
    return fail(DiagId::ArgumentMissing, span, type.name, "value", "value");
  for (const auto &member : type.members)
    if (const auto *object = member.second.as<EnumObject>())
      if (object->value && areEqual(object->value, arguments[0].value))
        return member.second;
  return fail(DiagId::ItemNotFound, span, reprOf(arguments[0].value));
}

// The arguments of a dataclass become its fields; members of the class are the defaults.
bool Interpreter::bindFields(InstanceObject &instance, llvm::ArrayRef<Argument> arguments,
                             Span span) {
  ClassObject &type = *instance.type;
  std::string signature = llvm::join(type.fields, ", ");
  size_t next = 0;
  for (const Argument &argument : arguments) {
    if (argument.name.empty() && next == type.fields.size())
      return failed(DiagId::TooManyArguments, argument.span, type.name, next, signature);
    llvm::StringRef field =
        argument.name.empty() ? llvm::StringRef(type.fields[next++]) : argument.name;
    if (!llvm::is_contained(type.fields, field))
      return failed(DiagId::UnknownKeyword, argument.span, type.name, field, signature);
    if (!instance.attributes.try_emplace(field, argument.value).second)
      return failed(DiagId::ArgumentGivenTwice, argument.span, type.name, field);
  }
  for (const std::string &field : type.fields) {
    if (instance.attributes.contains(field))
      continue;
    Value fallback = memberOf(type, field);
    if (!fallback)
      return failed(DiagId::ArgumentMissing, span, type.name, field, signature);
    instance.attributes[field] = fallback;
  }
  Value after = memberOf(type, "__post_init__");
  auto *function = after.as<FunctionObject>();
  return !function || callWithOwnScope(*function, Argument{"", &instance, span}, span);
}

// Whether a class derives from an exception of Python's.
static bool isException(const ClassObject &type, unsigned depth = 0) {
  return llvm::any_of(type.bases, [&](const Value &base) {
    const auto *inherited = base.as<ClassObject>();
    return base.is(ValueKind::ExceptionType) ||
           (inherited && depth < MaxBaseDepth && isException(*inherited, depth + 1));
  });
}

Value Interpreter::instantiate(ClassObject &type, llvm::ArrayRef<Argument> arguments, Span span) {
  if (type.isEnum)
    return enumMemberOf(type, arguments, span);
  auto *instance = heap_.make<InstanceObject>(&type);
  Values args;
  for (const Argument &argument : arguments)
    args.push_back(argument.value);
  if (isException(type))
    instance->attributes["args"] = heap_.tuple(std::move(args));
  Value init = memberOf(type, "__init__");
  if (auto *function = init.as<FunctionObject>()) {
    llvm::SmallVector<Argument, 4> all{{"", instance, span}};
    all.append(arguments.begin(), arguments.end());
    if (!callWithOwnScope(*function, all, span))
      return Value();
  } else if (type.isDataclass) {
    if (!bindFields(*instance, arguments, span))
      return Value();
  } else if (!arguments.empty() && !isException(type)) {
    return fail(DiagId::TooManyArguments, arguments[0].span, type.name, 0, "");
  }
  return instance;
}

} // namespace tilescope::frontend
