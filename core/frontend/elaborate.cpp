// From a kernel function and its arguments to the IR of one function.
#include "core/frontend/interpreter.h"

#include "core/frontend/kernel_files.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// Tensors that a kernel makes with T.empty come behind its parameters.
constexpr size_t OutputPosition = 1'000'000;

Value Interpreter::constArgument(llvm::StringRef name) {
  for (const Argument &constant : constants_)
    if (constant.name == name)
      return constant.value;
  return Value();
}

Value Interpreter::defaultUsed(const FunctionObject &function, llvm::StringRef param) const {
  for (size_t i = 0; i < function.params.size(); ++i)
    if (function.params[i].name == param)
      return function.defaults[i];
  return Value();
}

// Those that a parameter of `function` takes.
llvm::SmallVector<Interpreter::Argument, 8>
Interpreter::argumentsOf(const FunctionObject &function, llvm::ArrayRef<Argument> arguments) {
  llvm::SmallVector<Argument, 8> own;
  for (const Argument &argument : arguments)
    if (llvm::any_of(function.params,
                     [&](const ast::Param &param) { return param.name == argument.name; }))
      own.push_back(argument);
  return own;
}

FunctionObject *Interpreter::nestedFunction(FunctionObject &outer, llvm::StringRef name,
                                            llvm::ArrayRef<Argument> arguments) {
  readJitOptions(outer);
  Env *env = newEnv(outer.closure);
  if (!callFunction(outer, argumentsOf(outer, arguments), *env, outer.span))
    return nullptr;
  auto *function = env->names.lookup(name).as<FunctionObject>();
  if (!function)
    fail(DiagId::NestedKernelMissing, outer.span, outer.name, name);
  return function;
}

const Function *Interpreter::elaborate(FunctionObject &function,
                                       llvm::ArrayRef<Argument> arguments) {
  constants_.assign(arguments.begin(), arguments.end());
  readJitOptions(function);
  if (function.role == FunctionRole::PrimFunc)
    return elaboratePrimFunc(function, function.name);
  if (function.role == FunctionRole::Jit && isEagerKernel(*function.def))
    return elaborateEager(function, arguments);
  FunctionObject *current = &function;
  // A factory may return a factory.
  for (unsigned calls = 0; current->role != FunctionRole::PrimFunc; ++calls) {
    Env *env = newEnv(current->closure);
    Value result = callFunction(*current, argumentsOf(*current, arguments), *env, current->span);
    if (!result)
      return nullptr;
    auto *returned = result.as<FunctionObject>();
    if (!returned || calls == 4) {
      fail(DiagId::NoKernelReturned, returnSpan_, current->name, phraseFor(result));
      return nullptr;
    }
    current = returned;
    if (current->role == FunctionRole::Jit && isEagerKernel(*current->def))
      return elaborateEager(*current, arguments);
  }
  // Most factories call what they return "main".
  return elaboratePrimFunc(*current, current->name == "main" ? function.name : current->name);
}

// `out_idx` and `pass_configs` are part of what the kernel means; the rest serves the host.
void Interpreter::readJitOptions(FunctionObject &function) {
  if (!function.jitCall)
    return;
  for (const ast::Keyword &keyword : function.jitCall->keywords) {
    if (keyword.name != "out_idx" && keyword.name != "pass_configs")
      continue;
    Value value = evalIn(function.closure, keyword.value);
    if (value && keyword.name == "pass_configs") {
      addPassConfigs(value, keyword.value->span);
    } else if (value) {
      outIdx_ = value;
      outIdxSpan_ = keyword.value->span;
    }
  }
}

void Interpreter::addPassConfigs(Value configs, Span span) {
  const auto *dict = configs.as<DictObject>();
  if (!dict) {
    if (!configs.isNone())
      fail(DiagId::WrongType, span, "a dict of pass configs", phraseFor(configs));
    return;
  }
  for (const auto &[key, value] : dict->items) {
    const auto *member = key.as<EnumObject>();
    std::string name = member ? member->name : llvm::StringRef(strOf(key)).upper();
    std::replace(name.begin(), name.end(), '.', '_');
    passConfigs_.push_back({name, value});
    if (name != "TL_ENABLE_FAST_MATH" && name != "TL_DISABLE_THREAD_STORAGE_SYNC")
      fail(DiagId::PassConfigIgnored, span, name);
  }
}

BufferObject *Interpreter::addTensor(llvm::StringRef name, const TensorTypeObject &tensor,
                                     size_t position, Span span) {
  BufferObject *buffer = kernel_->addBuffer(heap_, tensor.dtype, tensor.shape, Scope::Global, span);
  buffer->draft.strides = context_.copy<const Expr *>(tensor.strides);
  kernel_->nameBuffer(*buffer, name);
  kernel_->addTensorParam(*buffer, position);
  return buffer;
}

// A parameter with what its annotation says it is: a tensor, or a scalar of a type.
bool Interpreter::declareParam(llvm::StringRef name, Value annotation, size_t position, Span span) {
  declared_.resize(std::max(declared_.size(), position + 1));
  if (const auto *tensor = annotation.as<TensorTypeObject>(); tensor && !tensor->isOutput) {
    declared_[position] = addTensor(name, *tensor, position, span);
    return setName(name, declared_[position]);
  }
  bool isType = annotation.is(ValueKind::DType) || annotation.is(ValueKind::Builtin);
  std::optional<DType> dtype = isType ? toDType(annotation, span) : std::nullopt;
  if (!dtype) {
    if (!isType)
      fail(DiagId::ParamAnnotation, span, name, phraseFor(annotation));
    return false;
  }
  const Var *var = ir_.var(name, *dtype);
  kernel_->addScalarParam(*var, position);
  return setName(name, Value::expr(var));
}

bool Interpreter::declareTensor(const ast::NameExpr &target, Value annotation) {
  Value *value = findLocal(target.name);
  const auto *argument = value ? value->as<TensorArgumentObject>() : nullptr;
  if (!argument)
    return failed(DiagId::NotAParameter, target.span, target.name);
  return declareParam(target.name, annotation, argument->position, target.span);
}

Value Interpreter::declareOutput(llvm::StringRef name, TensorTypeObject &tensor, Span span) {
  BufferObject *buffer = addTensor(name, tensor, OutputPosition + outputs_.size(), span);
  outputs_.push_back(buffer);
  return buffer;
}

const Function *Interpreter::elaboratePrimFunc(FunctionObject &function, llvm::StringRef name) {
  KernelBuilder builder(context_, name);
  kernel_ = &builder;
  Env *env = newEnv(function.closure);
  env_ = env;
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    if (!param.annotation) {
      fail(DiagId::ParamAnnotation, param.span, param.name, "nothing");
      return nullptr;
    }
    Value annotation = eval(param.annotation);
    if (!annotation || !declareParam(param.name, annotation, i, param.span))
      return nullptr;
  }
  return runKernel(function, *env, builder);
}

// Parameters without a value are tensors that the body declares.
bool Interpreter::bindTensorArguments(FunctionObject &function, Env &env) {
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    if (env.names.contains(param.name) || !isTensorParam(*function.def, param))
      continue;
    env.names[param.name] = heap_.make<TensorArgumentObject>(param, i);
    if (!param.annotation)
      continue;
    Value annotation = evalIn(&env, param.annotation);
    Env *saved = std::exchange(env_, &env);
    bool declared = annotation && declareParam(param.name, annotation, i, param.span);
    env_ = saved;
    if (!declared)
      return false;
  }
  return true;
}

const Function *Interpreter::elaborateEager(FunctionObject &function,
                                            llvm::ArrayRef<Argument> arguments) {
  KernelBuilder builder(context_, function.name);
  kernel_ = &builder;
  Env *env = newEnv(function.closure);
  declared_.resize(function.params.size());
  if (!bindKeywords(function, argumentsOf(function, arguments), *env) ||
      !bindTensorArguments(function, *env) || !bindDefaults(function, *env, function.span))
    return nullptr;
  return runKernel(function, *env, builder);
}

const Function *Interpreter::runKernel(FunctionObject &function, Env &env, KernelBuilder &builder) {
  env.isKernel = true;
  Value result = runBody(function, env, Span());
  llvm::SmallVector<const BufferObject *, 4> outputs;
  bool isSound = result && !diagnostics_->hasErrors() &&
                 readReturned(result, outputs, returnSpan_) && readOutIdx(outputs);
  if (!isSound)
    return nullptr;
  if (!builder.hasLaunched()) {
    fail(DiagId::NoLaunch, function.span, function.name);
    return nullptr;
  }
  for (BufferObject *output : outputs_)
    if (!llvm::is_contained(outputs, output)) {
      fail(DiagId::OutputNotReturned, output->draft.span, output->sourceName);
      return nullptr;
    }
  return builder.finish(function.def->span, outputs);
}

// `return C`: only what T.empty made can be returned.
bool Interpreter::readReturned(Value value, llvm::SmallVectorImpl<const BufferObject *> &outputs,
                               Span span) {
  if (value.isNone())
    return true;
  Values items{value};
  if (const Values *several = sequenceItems(value))
    items = *several;
  for (const Value &item : items) {
    auto *buffer = item.as<BufferObject>();
    if (!buffer || !llvm::is_contained(outputs_, buffer))
      return failed(DiagId::ReturnedNoOutput, span, phraseFor(item));
    outputs.push_back(buffer);
  }
  return true;
}

bool Interpreter::readOutIdx(llvm::SmallVectorImpl<const BufferObject *> &outputs) {
  if (!outIdx_ || outIdx_.isNone())
    return true;
  Values indices{outIdx_};
  if (const Values *several = sequenceItems(outIdx_))
    indices = *several;
  for (const Value &index : indices) {
    std::optional<size_t> at = resolveIndex(index, declared_.size(), outIdxSpan_);
    if (!at)
      return false;
    if (!declared_[*at])
      return failed(DiagId::OutputNoTensor, outIdxSpan_, *at);
    outputs.push_back(declared_[*at]);
  }
  return true;
}

} // namespace tilescope::frontend
