#include "core/frontend/functions.h"

#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/enums.h"
#include "core/frontend/expressions.h"
#include "core/frontend/operators.h"
#include "core/frontend/statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

// The function that a decorator names, without evaluating anything: decorators' arguments often
// belong to the host (`autotune(configs=...)`). Invalid if it is nothing we know.
static Value decoratorCallee(Evaluation &evaluation, const ast::Expr *decorator) {
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(decorator))
    return decoratorCallee(evaluation, call->callee);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(decorator)) {
    for (Env *env = evaluation.names.env; env; env = env->parent)
      if (auto found = env->names.find(name->name); found != env->names.end())
        return found->second;
    ModuleScope::Binding *binding = evaluation.names.globals->find(name->name);
    return binding && binding->isFinal() ? binding->value : Value();
  }
  if (const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(decorator)) {
    Value object = decoratorCallee(evaluation, attribute->object);
    if (auto *space = object.as<NamespaceObject>())
      return namespaceMember(evaluation, space->path, attribute->name, decorator->span);
  }
  return Value();
}

static MethodForm formOf(llvm::StringRef decorator) {
  return llvm::StringSwitch<MethodForm>(decorator)
      .Case("classmethod", MethodForm::OfClass)
      .Case("staticmethod", MethodForm::Static)
      .Case("property", MethodForm::Property)
      .Default(MethodForm::OfInstance);
}

static void applyDecorator(Evaluation &evaluation, FunctionObject &function,
                           const ast::Expr *decorator) {
  Value callee = decoratorCallee(evaluation, decorator);
  if (callee.is(ValueKind::Function)) {
    evaluation.fail(DiagId::DecoratorIgnored, decorator->span, callee.as<FunctionObject>()->name,
                    function.name);
    return;
  }
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(decorator); name && !callee)
    function.form = formOf(name->name);
  const auto *builtin = callee.as<BuiltinObject>();
  if (!builtin)
    return;
  llvm::StringRef name = builtin->info.name;
  if (name == "prim_func") {
    function.role = FunctionRole::PrimFunc;
  } else if (name == "macro" || name == "inline") {
    function.role = FunctionRole::Macro;
  } else if (name == "jit" || name == "lazy_jit") {
    function.role = FunctionRole::Jit;
    function.jitCall = llvm::dyn_cast<ast::CallExpr>(decorator);
  }
}

Value makeFunction(Evaluation &evaluation, const ast::FunctionDefStmt &def, bool isTopLevel) {
  auto *function = evaluation.heap.make<FunctionObject>();
  function->name = def.name.str();
  function->params = def.params;
  function->def = &def;
  function->closure = evaluation.names.here();
  function->span = def.nameSpan;
  function->defaults.resize(def.params.size());
  for (const ast::Expr *decorator : def.decorators)
    applyDecorator(evaluation, *function, decorator);
  // At the top level defaults wait until they are needed: they may be part of code that only runs
  // on the host.
  for (size_t i = 0; !isTopLevel && i < def.params.size(); ++i)
    if (def.params[i].defaultValue && !defaultOf(evaluation, *function, i))
      return Value();
  return function;
}

Value makeLambda(Evaluation &evaluation, const ast::LambdaExpr &lambda) {
  auto *function = evaluation.heap.make<FunctionObject>();
  function->name = "<lambda>";
  function->params = lambda.params;
  function->lambdaBody = lambda.body;
  function->closure = evaluation.names.here();
  function->span = lambda.span;
  function->defaults.resize(lambda.params.size());
  for (size_t i = 0; i < lambda.params.size(); ++i)
    if (lambda.params[i].defaultValue && !defaultOf(evaluation, *function, i))
      return Value();
  return function;
}

Value defaultOf(Evaluation &evaluation, FunctionObject &function, size_t index) {
  Value &value = function.defaults[index];
  if (!value)
    value = evalIn(evaluation, function.closure, function.params[index].defaultValue);
  return value;
}

// The annotated names of the body, behind those of the bases.
static void addFields(ClassObject &type, const ast::ClassDefStmt &def) {
  for (const Value &base : type.bases)
    if (const auto *inherited = base.as<ClassObject>())
      llvm::append_range(type.fields, inherited->fields);
  for (const ast::Stmt *stmt : def.body) {
    const auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
    const auto *name = annotated ? llvm::dyn_cast<ast::NameExpr>(annotated->target) : nullptr;
    if (name && !llvm::is_contained(type.fields, name->name))
      type.fields.push_back(name->name.str());
  }
}

static bool isNamedTupleBase(const Value &base) {
  const auto *opaque = base.as<OpaqueObject>();
  const auto *type = base.as<ClassObject>();
  return (opaque && opaque->path == "typing.NamedTuple") || (type && type->isNamedTuple);
}

// `@dataclass`: the annotated names of the body, behind those of the bases, are parameters of
// `__init__`.
static bool makeDataclass(Evaluation &evaluation, ClassObject &type, const ast::ClassDefStmt &def) {
  for (const ast::Expr *decorator : def.decorators) {
    Value callee = decoratorCallee(evaluation, decorator);
    const auto *builtin = callee.as<BuiltinObject>();
    if (builtin && builtin->info.name == "meta_class")
      continue;
    if (!builtin || builtin->info.name != "dataclass")
      return evaluation.failed(DiagId::NotSupportedYet, decorator->span,
                               "this decorator of a class");
    type.isDataclass = true;
  }
  if (type.isDataclass)
    addFields(type, def);
  return true;
}

Value makeClass(Evaluation &evaluation, const ast::ClassDefStmt &def) {
  auto *type = evaluation.heap.make<ClassObject>();
  type->name = def.name.str();
  if (!evalElements(evaluation, def.bases, type->bases))
    return Value();
  Env *env = newEnv(evaluation, evaluation.names.env);
  env->isClass = true;
  {
    llvm::SaveAndRestore scope(evaluation.names.env, env);
    if (execBlock(evaluation, def.body) != Flow::Normal)
      return Value();
  }
  for (auto &[name, value] : env->names) {
    type->members[name] = value;
    if (auto *function = value.as<FunctionObject>(); function && function->closure.env == env)
      function->owner = type;
  }
  if (llvm::any_of(type->bases, isNamedTupleBase)) {
    type->isNamedTuple = true;
    addFields(*type, def);
    return type;
  }
  bool isEnum = llvm::any_of(type->bases, isEnumBase);
  if (isEnum ? !makeEnum(evaluation, *type, def) : !makeDataclass(evaluation, *type, def))
    return Value();
  return type;
}

// Deeper chains of bases than anyone writes; a class may name itself as its base.
constexpr unsigned MaxBaseDepth = 20;

Value memberOf(ClassObject &type, llvm::StringRef name, unsigned depth) {
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

FunctionRole roleOf(Evaluation &evaluation, const ast::FunctionDefStmt &def) {
  FunctionObject function;
  function.name = def.name.str();
  Diagnostics unread;
  Diagnostics &reported = evaluation.reportTo(unread);
  for (const ast::Expr *decorator : def.decorators)
    applyDecorator(evaluation, function, decorator);
  evaluation.reportTo(reported);
  return function.role;
}

// What a field is that no argument gives.
static Value defaultOfField(Evaluation &evaluation, ClassObject &type, llvm::StringRef field,
                            Span span) {
  Value value = memberOf(type, field);
  const auto *declared = value.as<PartialObject>();
  bool isDeclared = declared && declared->isField;
  if (isDeclared && declared->callee)
    return call(evaluation, declared->callee, {}, span);
  if (!value || isDeclared)
    return evaluation.fail(DiagId::ArgumentMissing, span, type.name, field,
                           llvm::join(type.fields, ", "));
  return value;
}

// The arguments of a dataclass or a named tuple become its fields; members of the class are the
// defaults.
static bool bindFields(Evaluation &evaluation, ClassObject &type, llvm::StringMap<Value> &fields,
                       llvm::ArrayRef<Argument> arguments, Span span) {
  std::string signature = llvm::join(type.fields, ", ");
  size_t next = 0;
  for (const Argument &argument : arguments) {
    if (argument.name.empty() && next == type.fields.size())
      return evaluation.failed(DiagId::TooManyArguments, argument.span, type.name, next, signature);
    llvm::StringRef field =
        argument.name.empty() ? llvm::StringRef(type.fields[next++]) : argument.name;
    if (!llvm::is_contained(type.fields, field))
      return evaluation.failed(DiagId::UnknownKeyword, argument.span, type.name, field, signature);
    if (!fields.try_emplace(field, argument.value).second)
      return evaluation.failed(DiagId::ArgumentGivenTwice, argument.span, type.name, field);
  }
  for (const std::string &field : type.fields) {
    if (fields.contains(field))
      continue;
    Value fallback = defaultOfField(evaluation, type, field, span);
    if (!fallback)
      return false;
    fields[field] = fallback;
  }
  return true;
}

static bool initDataclass(Evaluation &evaluation, InstanceObject &instance,
                          llvm::ArrayRef<Argument> arguments, Span span) {
  if (!bindFields(evaluation, *instance.type, instance.attributes, arguments, span))
    return false;
  Value after = memberOf(*instance.type, "__post_init__");
  auto *function = after.as<FunctionObject>();
  return !function || callWithOwnScope(evaluation, *function, Argument{"", &instance, span}, span);
}

Value makeNamedTuple(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                     Span span) {
  llvm::StringMap<Value> fields;
  if (!bindFields(evaluation, type, fields, arguments, span))
    return Value();
  Values items;
  for (const std::string &field : type.fields)
    items.push_back(fields.lookup(field));
  auto *tuple = evaluation.heap.make<TupleObject>(std::move(items));
  tuple->type = &type;
  return tuple;
}

// Whether a class derives from an exception of Python's.
static bool isException(const ClassObject &type, unsigned depth = 0) {
  return llvm::any_of(type.bases, [&](const Value &base) {
    const auto *inherited = base.as<ClassObject>();
    return base.is(ValueKind::ExceptionType) ||
           (inherited && depth < MaxBaseDepth && isException(*inherited, depth + 1));
  });
}

Value instantiate(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                  Span span) {
  if (type.isEnum)
    return enumMemberOf(evaluation, type, arguments, span);
  if (type.isNamedTuple)
    return makeNamedTuple(evaluation, type, arguments, span);
  auto *instance = evaluation.heap.make<InstanceObject>(&type);
  Values args;
  for (const Argument &argument : arguments)
    args.push_back(argument.value);
  if (isException(type))
    instance->attributes["args"] = evaluation.heap.tuple(std::move(args));
  Value init = memberOf(type, "__init__");
  if (auto *function = init.as<FunctionObject>()) {
    llvm::SmallVector<Argument, 4> all{{"", instance, span}};
    all.append(arguments.begin(), arguments.end());
    if (!callWithOwnScope(evaluation, *function, all, span))
      return Value();
  } else if (type.isDataclass) {
    if (!initDataclass(evaluation, *instance, arguments, span))
      return Value();
  } else if (!arguments.empty() && !isException(type)) {
    return evaluation.fail(DiagId::TooManyArguments, arguments[0].span, type.name, 0, "");
  }
  return instance;
}

std::string signatureOf(const FunctionObject &function) {
  std::string out;
  bool sawStar = false;
  for (const ast::Param &param : function.params) {
    out += out.empty() ? "" : ", ";
    if (param.kind == ast::ParamKind::KeywordOnly && !sawStar)
      out += "*, ";
    sawStar |= param.kind == ast::ParamKind::KeywordOnly || param.kind == ast::ParamKind::VarArgs;
    out += param.kind == ast::ParamKind::VarArgs       ? "*"
           : param.kind == ast::ParamKind::KeywordArgs ? "**"
                                                       : "";
    out += param.name;
    out += param.defaultValue ? "=..." : "";
  }
  return out;
}

Value defaultUsed(const FunctionObject &function, llvm::StringRef param) {
  for (size_t i = 0; i < function.params.size(); ++i)
    if (function.params[i].name == param)
      return function.defaults[i];
  return Value();
}

} // namespace tilescope::frontend
