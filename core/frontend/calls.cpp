// Calls: arguments, parameters, bodies.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

Env *Interpreter::newEnv(Env *parent) {
  heap_.charge(sizeof(Env));
  envs_.push_back(std::make_unique<Env>());
  envs_.back()->parent = parent;
  return envs_.back().get();
}

Value Interpreter::evalCall(const ast::CallExpr &call) {
  Value callee = eval(call.callee);
  llvm::SmallVector<Argument, 8> arguments;
  if (!callee || !evalArguments(call, arguments))
    return Value();
  return this->call(callee, arguments, call.span);
}

bool Interpreter::evalArguments(const ast::CallExpr &call, llvm::SmallVectorImpl<Argument> &out) {
  for (const ast::Expr *arg : call.args) {
    if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(arg)) {
      Value items = eval(starred->value);
      auto add = [&](Value item) {
        out.push_back({"", item, arg->span});
        return true;
      };
      if (!items || !forEach(items, arg->span, add))
        return false;
      continue;
    }
    Value value = eval(arg);
    if (!value)
      return false;
    out.push_back({"", value, arg->span});
  }
  for (const ast::Keyword &keyword : call.keywords) {
    Value value = eval(keyword.value);
    if (!value)
      return false;
    if (!keyword.name.empty())
      out.push_back({keyword.name, value, keyword.value->span});
    else if (!spreadKeywords(value, keyword.span, out))
      return false;
  }
  return true;
}

bool Interpreter::spreadKeywords(Value mapping, Span span, llvm::SmallVectorImpl<Argument> &out) {
  const auto *dict = mapping.as<DictObject>();
  if (!dict)
    return failed(DiagId::WrongType, span, "a dict behind '**'", phraseFor(mapping));
  for (const auto &[key, value] : dict->items) {
    const auto *name = key.as<StringObject>();
    if (!name)
      return failed(DiagId::WrongType, span, "string keys behind '**'", phraseFor(key));
    out.push_back({name->text, value, span});
  }
  return true;
}

Value Interpreter::call(Value callee, llvm::ArrayRef<Argument> arguments, Span span) {
  switch (callee.kind()) {
  case ValueKind::Function:
    return callWithOwnScope(*callee.as<FunctionObject>(), arguments, span);
  case ValueKind::BoundMethod: {
    auto &method = *callee.as<BoundMethodObject>();
    llvm::SmallVector<Argument, 8> all{{"", method.self, span}};
    all.append(arguments.begin(), arguments.end());
    return callWithOwnScope(*method.function, all, span);
  }
  case ValueKind::Builtin:
    return callBuiltin(*callee.as<BuiltinObject>(), arguments, span);
  case ValueKind::Class:
    return instantiate(*callee.as<ClassObject>(), arguments, span);
  case ValueKind::ExceptionType: {
    Values args;
    for (const Argument &argument : arguments)
      args.push_back(argument.value);
    return makeException(callee.as<ExceptionTypeObject>()->name, std::move(args));
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
    return this->call(partial.callee, all, span);
  }
  case ValueKind::DType: {
    BuiltinObject *cast = heap_.make<BuiltinObject>(*findBuiltin("dtype", "__call__"), callee);
    return callBuiltin(*cast, arguments, span);
  }
  case ValueKind::Opaque:
    return failOpaque(*callee.as<OpaqueObject>(), span);
  case ValueKind::Poison:
    return Value();
  default:
    return fail(DiagId::NotCallable, span, phraseFor(callee));
  }
}

Value Interpreter::failOpaque(const OpaqueObject &opaque, Span span) {
  fail(DiagId::OpaqueUsed, span, opaque.path);
  if (opaque.importSpan.isValid())
    lastDiagnostic_->note(opaque.importSpan, "imported here");
  return Value();
}

Value Interpreter::callBuiltin(BuiltinObject &builtin, llvm::ArrayRef<Argument> arguments,
                               Span span) {
  Args args(*this, builtin.info, builtin.self, span);
  if (!builtin.info.handler)
    return fail(DiagId::NotSupportedYet, span, args.callee());
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

// What `call` restores when a function returns.
struct Interpreter::CallFrame {
  CallFrame(Interpreter &interpreter, Env *env, const std::string &name, Span span)
      : interpreter(interpreter), savedEnv(std::exchange(interpreter.env_, env)),
        savedDepth(std::exchange(interpreter.frameDeviceDepth_, interpreter.deviceDepth_)) {
    interpreter.frames_.push_back({name, span});
  }
  ~CallFrame() {
    interpreter.frames_.pop_back();
    interpreter.env_ = savedEnv;
    interpreter.frameDeviceDepth_ = savedDepth;
  }
  CallFrame(const CallFrame &) = delete;

  Interpreter &interpreter;
  Env *savedEnv;
  unsigned savedDepth;
};

Value Interpreter::callWithOwnScope(FunctionObject &function, llvm::ArrayRef<Argument> arguments,
                                    Span span) {
  Env *env = newEnv(function.closure);
  env->isKernel = function.role == FunctionRole::Macro;
  return callFunction(function, arguments, *env, span);
}

Value Interpreter::callFunction(FunctionObject &function, llvm::ArrayRef<Argument> arguments,
                                Env &env, Span span) {
  if (function.role == FunctionRole::PrimFunc)
    return fail(DiagId::KernelCalled, span, function.name);
  if (!bindArguments(function, arguments, env, span))
    return Value();
  return runBody(function, env, span);
}

Value Interpreter::runBody(FunctionObject &function, Env &env, Span span) {
  if (frames_.size() >= limits_.callDepth)
    return failForGood(DiagId::EvalLimit, span, "nested calls", limits_.callDepth,
                       "--max-call-depth");
  CallFrame frame(*this, &env, function.name, span);
  if (function.lambdaBody)
    return eval(function.lambdaBody);
  returned_ = Value::none();
  Flow flow = execBlock(function.def->body);
  if (flow == Flow::Failed)
    return Value();
  if (flow != Flow::Return)
    returnSpan_ = function.span;
  return flow == Flow::Return ? std::exchange(returned_, Value::none()) : Value::none();
}

bool Interpreter::bindArguments(FunctionObject &function, llvm::ArrayRef<Argument> arguments,
                                Env &env, Span span) {
  return bindPositional(function, arguments, env) && bindKeywords(function, arguments, env) &&
         bindDefaults(function, env, span);
}

bool Interpreter::bindPositional(FunctionObject &function, llvm::ArrayRef<Argument> arguments,
                                 Env &env) {
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
      Value value = bindParameter(function, param, argument.value, argument.span);
      if (!value)
        return false;
      env.names[param.name] = value;
    } else if (varArgs != function.params.end()) {
      rest.push_back(argument.value);
    } else {
      return failed(DiagId::TooManyArguments, argument.span, function.name, taken,
                    signatureOf(function));
    }
    ++taken;
  }
  if (varArgs != function.params.end())
    env.names[varArgs->name] = heap_.tuple(std::move(rest));
  return true;
}

bool Interpreter::bindKeywords(FunctionObject &function, llvm::ArrayRef<Argument> arguments,
                               Env &env) {
  const auto *collector = llvm::find_if(
      function.params, [](const ast::Param &p) { return p.kind == ast::ParamKind::KeywordArgs; });
  DictObject *collected = nullptr;
  if (collector != function.params.end()) {
    collected = heap_.make<DictObject>();
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
        return failed(DiagId::ArgumentGivenTwice, argument.span, function.name, param->name);
      Value value = bindParameter(function, *param, argument.value, argument.span);
      if (!value)
        return false;
      env.names[param->name] = value;
    } else if (collected) {
      collected->items.push_back({string(argument.name.str()), argument.value});
    } else {
      std::vector<std::string> names;
      for (const ast::Param &known : function.params)
        names.push_back(known.name.str());
      fail(DiagId::UnknownKeyword, argument.span, function.name, argument.name,
           signatureOf(function));
      suggest(argument.name, names, argument.span);
      return false;
    }
  }
  return true;
}

bool Interpreter::bindDefaults(FunctionObject &function, Env &env, Span span) {
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    bool isCollector =
        param.kind == ast::ParamKind::VarArgs || param.kind == ast::ParamKind::KeywordArgs;
    if (isCollector || env.names.contains(param.name))
      continue;
    if (!param.defaultValue)
      return failed(DiagId::ArgumentMissing, span, function.name, param.name,
                    signatureOf(function));
    Value value = defaultOf(function, i);
    if (!value)
      return false;
    env.names[param.name] = value;
  }
  return true;
}

// "a, b=..., *, c": for messages about a call.
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

// Whether an annotation is `T.Ref` (or `T.Var`, its old name).
static bool isReference(const ast::Expr *annotation) {
  const auto *attribute = llvm::dyn_cast_or_null<ast::AttributeExpr>(annotation);
  return attribute && (attribute->name == "Ref" || attribute->name == "Var");
}

// A macro takes expressions by value: they are bound to a variable of the parameter's name, unless
// it asks for a reference. Other functions take whatever they are given.
Value Interpreter::bindParameter(FunctionObject &function, const ast::Param &param, Value value,
                                 Span span) {
  if (value.is(ValueKind::Poison))
    return Value();
  if (function.role != FunctionRole::Macro || !kernel_ || !value.isExpr())
    return value;
  if (!isReference(param.annotation))
    return bindInKernel(param.name, value, span);
  const auto *load = llvm::dyn_cast<Load>(value.asExpr());
  BufferObject *buffer = load ? kernel_->findBuffer(load->buffer) : nullptr;
  if (!buffer)
    return fail(DiagId::WrongType, span, "a variable or an element for a T.Ref", phraseFor(value));
  if (buffer->draft.scope == Scope::LocalVar)
    return buffer;
  auto *region = heap_.make<RegionObject>();
  region->buffer = buffer;
  region->isReference = true;
  for (const Expr *index : load->indices)
    region->axes.push_back({index, ir().integer(1, index->dtype()), true});
  return region;
}

} // namespace tilescope::frontend
