#include "core/frontend/calls.h"

#include "core/frontend/assignment.h"
#include "core/frontend/builtins.h"
#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/generators.h"
#include "core/frontend/iteration.h"
#include "core/frontend/statements.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

Env *newEnv(Evaluation &evaluation, Env *parent) {
  evaluation.heap.charge(sizeof(Env));
  auto env = std::make_unique<Env>();
  env->parent = parent;
  return evaluation.names.envs.emplace_back(std::move(env)).get();
}

static bool spreadKeywords(Evaluation &evaluation, Value mapping, Span span,
                           llvm::SmallVectorImpl<Argument> &out) {
  const auto *dict = mapping.as<DictObject>();
  if (!dict)
    return evaluation.failed(DiagId::WrongType, span, "a dict behind '**'", phraseFor(mapping));
  for (const auto &[key, value] : dict->items) {
    const auto *name = key.as<StringObject>();
    if (!name)
      return evaluation.failed(DiagId::WrongType, span, "string keys behind '**'", phraseFor(key));
    out.push_back({name->text, value, span});
  }
  return true;
}

// Not part of evalCall, whose frame lies under every nested call.
LLVM_ATTRIBUTE_NOINLINE
static bool evalArguments(Evaluation &evaluation, const ast::CallExpr &expr,
                          llvm::SmallVectorImpl<Argument> &out) {
  for (const ast::Expr *arg : expr.args) {
    if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(arg)) {
      Value items = eval(evaluation, starred->value);
      auto add = [&](Value item) {
        out.push_back({"", item, arg->span});
        return true;
      };
      if (!items || !forEach(evaluation, items, arg->span, add))
        return false;
      continue;
    }
    Value value = eval(evaluation, arg);
    if (!value)
      return false;
    out.push_back({"", value, arg->span});
  }
  for (const ast::Keyword &keyword : expr.keywords) {
    Value value = eval(evaluation, keyword.value);
    if (!value)
      return false;
    if (!keyword.name.empty())
      out.push_back({keyword.name, value, keyword.value->span});
    else if (!spreadKeywords(evaluation, value, keyword.span, out))
      return false;
  }
  return true;
}

Value evalCall(Evaluation &evaluation, const ast::CallExpr &expr) {
  Value callee = eval(evaluation, expr.callee);
  llvm::SmallVector<Argument, 8> arguments;
  if (!callee || !evalArguments(evaluation, expr, arguments))
    return Value();
  return call(evaluation, callee, arguments, expr.span);
}

Value call(Evaluation &evaluation, Value callee, llvm::ArrayRef<Argument> arguments, Span span) {
  switch (callee.kind()) {
  case ValueKind::Function:
    return callWithOwnScope(evaluation, *callee.as<FunctionObject>(), arguments, span);
  case ValueKind::BoundMethod: {
    auto &method = *callee.as<BoundMethodObject>();
    llvm::SmallVector<Argument, 8> all{{"", method.self, span}};
    all.append(arguments.begin(), arguments.end());
    return callWithOwnScope(evaluation, *method.function, all, span);
  }
  case ValueKind::Builtin:
    return callBuiltin(evaluation, *callee.as<BuiltinObject>(), arguments, span);
  case ValueKind::Class:
    return instantiate(evaluation, *callee.as<ClassObject>(), arguments, span);
  case ValueKind::ExceptionType: {
    Values args;
    for (const Argument &argument : arguments)
      args.push_back(argument.value);
    return evaluation.heap.make<ExceptionObject>(callee.as<ExceptionTypeObject>()->name,
                                                 std::move(args));
  }
  case ValueKind::Partial: {
    const auto &partial = *callee.as<PartialObject>();
    llvm::SmallVector<Argument, 8> all;
    for (const Value &value : partial.args)
      all.push_back({"", value, span});
    all.append(arguments.begin(), arguments.end());
    for (const auto &[name, value] : partial.keywords)
      if (llvm::none_of(arguments, [&, &name = name](const Argument &a) { return a.name == name; }))
        all.push_back({name, value, span});
    return call(evaluation, partial.callee, all, span);
  }
  case ValueKind::DType: {
    BuiltinObject *cast =
        evaluation.heap.make<BuiltinObject>(*findBuiltin("dtype", "__call__"), callee);
    return callBuiltin(evaluation, *cast, arguments, span);
  }
  case ValueKind::Opaque:
    return evaluation.failOpaque(*callee.as<OpaqueObject>(), span);
  case ValueKind::Poison:
    return Value();
  default:
    return evaluation.fail(DiagId::NotCallable, span, phraseFor(callee));
  }
}

Value callBuiltin(Evaluation &evaluation, BuiltinObject &builtin,
                  llvm::ArrayRef<Argument> arguments, Span span) {
  Args args(evaluation, builtin.info, builtin.self, span);
  if (!builtin.info.handler)
    return failNotYet(evaluation, builtin.info, span);
  if (builtin.info.isLanewise)
    if (std::optional<Value> result = callOverLanes(evaluation, builtin, arguments, span))
      return *result;
  llvm::SmallVector<std::pair<llvm::StringRef, Arg>, 8> given;
  for (const Argument &argument : arguments) {
    if (argument.value.is(ValueKind::Poison))
      return Value();
    given.push_back({argument.name, {argument.value, argument.span}});
  }
  if (!bindBuiltinArguments(args, given))
    return Value();
  return builtin.info.handler(args);
}

Value callWithOwnScope(Evaluation &evaluation, FunctionObject &function,
                       llvm::ArrayRef<Argument> arguments, Span span) {
  Env *env = newEnv(evaluation, function.closure.env);
  env->isKernel = function.role == FunctionRole::Macro;
  return callFunction(evaluation, function, arguments, *env, span);
}

// Whether an annotation is `T.Ref` (or `T.Var`, its old name).
static bool isReference(const ast::Expr *annotation) {
  // `T.Ref[T.int32]`
  if (const auto *typed = llvm::dyn_cast_or_null<ast::SubscriptExpr>(annotation))
    annotation = typed->object;
  const auto *attribute = llvm::dyn_cast_or_null<ast::AttributeExpr>(annotation);
  return attribute && (attribute->name == "Ref" || attribute->name == "Var");
}

// A macro takes expressions by value: they are bound to a variable of the parameter's name, unless
// it asks for a reference. Other functions take whatever they are given.
static Value bindParameter(Evaluation &evaluation, FunctionObject &function,
                           const ast::Param &param, Value value, Span span) {
  if (value.is(ValueKind::Poison))
    return Value();
  bool isBound = value.isExpr() || value.is(ValueKind::Vector);
  if (function.role != FunctionRole::Macro || !evaluation.kernel || !isBound)
    return value;
  if (!isReference(param.annotation))
    return bindInKernel(evaluation, param.name, value, span);
  const auto *load = value.isExpr() ? llvm::dyn_cast<Load>(value.asExpr()) : nullptr;
  BufferObject *buffer = load ? evaluation.kernel->findBuffer(load->buffer) : nullptr;
  if (!buffer)
    return evaluation.fail(DiagId::WrongType, span, "a variable or an element for a T.Ref",
                           phraseFor(value));
  if (buffer->draft.scope == Scope::LocalVar)
    return buffer;
  auto *region = evaluation.heap.make<RegionObject>();
  region->buffer = buffer;
  region->isReference = true;
  for (const Expr *index : load->indices)
    region->axes.push_back({index, evaluation.ir.integer(1, index->dtype()), true});
  return region;
}

static bool bindPositional(Evaluation &evaluation, FunctionObject &function,
                           llvm::ArrayRef<Argument> arguments, Env &env) {
  size_t next = 0;
  size_t taken = 0;
  Values rest;
  auto takesPositional = [&](const ast::Param &param) {
    return param.kind == ast::ParamKind::Positional || param.kind == ast::ParamKind::PositionalOnly;
  };
  const auto *varArgs = llvm::find_if(
      function.params, [](const ast::Param &p) { return p.kind == ast::ParamKind::VarArgs; });
  for (const Argument &argument : arguments) {
    if (!argument.name.empty())
      continue;
    if (next < function.params.size() && takesPositional(function.params[next])) {
      const ast::Param &param = function.params[next++];
      Value value = bindParameter(evaluation, function, param, argument.value, argument.span);
      if (!value)
        return false;
      env.names[param.name] = value;
    } else if (varArgs != function.params.end()) {
      rest.push_back(argument.value);
    } else {
      return evaluation.failed(DiagId::TooManyArguments, argument.span, function.name, taken,
                               signatureOf(function));
    }
    ++taken;
  }
  if (varArgs != function.params.end())
    env.names[varArgs->name] = evaluation.heap.tuple(std::move(rest));
  return true;
}

static bool bindArguments(Evaluation &evaluation, FunctionObject &function,
                          llvm::ArrayRef<Argument> arguments, Env &env, Span span) {
  return bindPositional(evaluation, function, arguments, env) &&
         bindKeywords(evaluation, function, arguments, env) &&
         bindDefaults(evaluation, function, env, span);
}

Value callFunction(Evaluation &evaluation, FunctionObject &function,
                   llvm::ArrayRef<Argument> arguments, Env &env, Span span) {
  if (function.role == FunctionRole::PrimFunc)
    return evaluation.fail(DiagId::KernelCalled, span, function.name);
  if (!bindArguments(evaluation, function, arguments, env, span))
    return Value();
  env.function = &function;
  if (function.def && function.def->isGenerator)
    return makeGenerator(evaluation, function, env, span);
  return runBody(evaluation, function, env, span);
}

Span standInOf(const Evaluation &evaluation, const FunctionObject &function, Span span) {
  if (function.closure.globals == &evaluation.modules.kernelFile().scope)
    return Span();
  return evaluation.ir.standIn.isValid() ? evaluation.ir.standIn : span;
}

Value runBody(Evaluation &evaluation, FunctionObject &function, Env &env, Span span) {
  if (evaluation.callDepth() >= evaluation.limits.callDepth)
    return evaluation.failForGood(DiagId::EvalLimit, span, "nested calls",
                                  evaluation.limits.callDepth, "--max-call-depth");
  evaluation.enterCall(function.name, span);
  auto leave = llvm::make_scope_exit([&] { evaluation.leaveCall(); });
  ControlFlow &control = evaluation.control;
  StandAt body(evaluation.names, {&env, function.closure.globals});
  llvm::SaveAndRestore standIn(evaluation.ir.standIn, standInOf(evaluation, function, span));
  llvm::SaveAndRestore frameDepth(control.frameDeviceDepth, control.deviceDepth);
  if (function.lambdaBody)
    return eval(evaluation, function.lambdaBody);
  control.returned = Value::none();
  Flow flow = execBlock(evaluation, function.def->body);
  if (flow == Flow::Failed)
    return Value();
  if (flow != Flow::Return)
    control.returnSpan = function.span;
  return flow == Flow::Return ? std::exchange(control.returned, Value::none()) : Value::none();
}

bool bindKeywords(Evaluation &evaluation, FunctionObject &function,
                  llvm::ArrayRef<Argument> arguments, Env &env) {
  const auto *collector = llvm::find_if(
      function.params, [](const ast::Param &p) { return p.kind == ast::ParamKind::KeywordArgs; });
  DictObject *collected = nullptr;
  if (collector != function.params.end()) {
    collected = evaluation.heap.make<DictObject>();
    env.names[collector->name] = collected;
  }
  for (const Argument &argument : arguments) {
    if (argument.name.empty())
      continue;
    const auto *param = llvm::find_if(function.params, [&](const ast::Param &p) {
      return p.name == argument.name &&
             (p.kind == ast::ParamKind::Positional || p.kind == ast::ParamKind::KeywordOnly);
    });
    if (param != function.params.end()) {
      if (env.names.contains(param->name))
        return evaluation.failed(DiagId::ArgumentGivenTwice, argument.span, function.name,
                                 param->name);
      Value value = bindParameter(evaluation, function, *param, argument.value, argument.span);
      if (!value)
        return false;
      env.names[param->name] = value;
    } else if (collected) {
      collected->items.push_back({evaluation.heap.string(argument.name.str()), argument.value});
    } else {
      std::vector<std::string> names;
      for (const ast::Param &known : function.params)
        names.push_back(known.name.str());
      evaluation.fail(DiagId::UnknownKeyword, argument.span, function.name, argument.name,
                      signatureOf(function));
      evaluation.suggestKeyword(argument.name, names, argument.span);
      return false;
    }
  }
  return true;
}

bool bindDefaults(Evaluation &evaluation, FunctionObject &function, Env &env, Span span) {
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    bool isCollector =
        param.kind == ast::ParamKind::VarArgs || param.kind == ast::ParamKind::KeywordArgs;
    if (isCollector || env.names.contains(param.name))
      continue;
    if (!param.defaultValue)
      return evaluation.failed(DiagId::ArgumentMissing, span, function.name, param.name,
                               signatureOf(function));
    Value value = defaultOf(evaluation, function, i);
    if (!value)
      return false;
    env.names[param.name] = value;
  }
  return true;
}

} // namespace tilescope::frontend
