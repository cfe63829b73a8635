#include "core/frontend/elaborate.h"

#include "core/frontend/addresses.h"
#include "core/frontend/calls.h"
#include "core/frontend/expressions.h"
#include "core/frontend/kernel_files.h"
#include "core/frontend/signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

// Those that a parameter of `function` takes.
static llvm::SmallVector<Argument, 8> argumentsOf(const FunctionObject &function,
                                                  llvm::ArrayRef<Argument> arguments) {
  llvm::SmallVector<Argument, 8> own;
  for (const Argument &argument : arguments)
    if (llvm::any_of(function.params,
                     [&](const ast::Param &param) { return param.name == argument.name; }))
      own.push_back(argument);
  return own;
}

static void setOutIdx(Evaluation &evaluation, Value outIdx, Span span) {
  evaluation.signature.outIdx = outIdx;
  evaluation.signature.outIdxSpan = span;
}

static void readCompileOptions(Evaluation &evaluation, const CompileOptions &options) {
  if (options.outIdx && !options.outIdx.isNone())
    setOutIdx(evaluation, options.outIdx, options.outIdxSpan);
  if (options.passConfigs)
    addPassConfigs(evaluation, options.passConfigs, options.passConfigsSpan);
}

// `out_idx` and `pass_configs` are part of what the kernel means; the rest serves the host.
static void readJitOptions(Evaluation &evaluation, FunctionObject &function) {
  readCompileOptions(evaluation, function.compiled);
  if (!function.jitCall)
    return;
  for (const ast::Keyword &keyword : function.jitCall->keywords) {
    if (keyword.name != "out_idx" && keyword.name != "pass_configs")
      continue;
    Value value = evalIn(evaluation, function.closure, keyword.value);
    if (value && keyword.name == "pass_configs") {
      addPassConfigs(evaluation, value, keyword.value->span);
    } else if (value) {
      setOutIdx(evaluation, value, keyword.value->span);
    }
  }
}

FunctionObject *nestedFunction(Evaluation &evaluation, FunctionObject &outer, llvm::StringRef name,
                               llvm::ArrayRef<Argument> arguments) {
  readJitOptions(evaluation, outer);
  Env *env = newEnv(evaluation, outer.closure.env);
  {
    // What follows the definition serves the host.
    llvm::SaveAndRestore stopIn(evaluation.control.stopIn, env);
    llvm::SaveAndRestore stopAt(evaluation.control.stopAt, name);
    if (!callFunction(evaluation, outer, argumentsOf(outer, arguments), *env, outer.span))
      return nullptr;
  }
  auto *function = env->names.lookup(name).as<FunctionObject>();
  if (!function)
    evaluation.fail(DiagId::NestedKernelMissing, outer.span, outer.name, name);
  return function;
}

static const Function *runKernel(Evaluation &evaluation, FunctionObject &function, Env &env,
                                 KernelBuilder &builder) {
  env.isKernel = true;
  Value result = runBody(evaluation, function, env, Span());
  llvm::SmallVector<const BufferObject *, 4> outputs;
  bool isSound = result && !evaluation.hasErrors() &&
                 readReturned(evaluation, result, outputs, evaluation.control.returnSpan) &&
                 readOutIdx(evaluation, outputs);
  if (!isSound)
    return nullptr;
  if (!builder.hasLaunched()) {
    evaluation.fail(DiagId::NoLaunch, function.span, function.name);
    return nullptr;
  }
  if (!requireTensors(evaluation))
    return nullptr;
  for (BufferObject *output : evaluation.signature.outputs)
    if (!llvm::is_contained(outputs, output)) {
      evaluation.fail(DiagId::OutputNotReturned, output->draft.span, output->sourceName);
      return nullptr;
    }
  return withoutAddresses(evaluation, *builder.finish(function.def->span, outputs));
}

static const Function *elaboratePrimFunc(Evaluation &evaluation, FunctionObject &function,
                                         llvm::StringRef name) {
  KernelBuilder builder(evaluation.ir, name);
  llvm::SaveAndRestore<KernelBuilder *> kernel(evaluation.kernel, &builder);
  Env *env = newEnv(evaluation, function.closure.env);
  StandAt signature(evaluation.names, {env, function.closure.globals});
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    if (!param.annotation) {
      evaluation.fail(DiagId::ParamAnnotation, param.span, param.name, "nothing");
      return nullptr;
    }
    Value annotation = eval(evaluation, param.annotation);
    if (!annotation || !declareParam(evaluation, param.name, annotation, i, param.span))
      return nullptr;
  }
  return runKernel(evaluation, function, *env, builder);
}

// Parameters without a value are tensors that the body declares.
static bool bindTensorArguments(Evaluation &evaluation, FunctionObject &function, Env &env) {
  for (size_t i = 0; i < function.params.size(); ++i) {
    const ast::Param &param = function.params[i];
    if (env.names.contains(param.name) || !isTensorParam(*function.def, param))
      continue;
    env.names[param.name] = evaluation.heap.make<TensorArgumentObject>(param, i);
    if (!param.annotation)
      continue;
    StandAt signature(evaluation.names, {&env, function.closure.globals});
    Value annotation = eval(evaluation, param.annotation);
    if (!annotation || !declareParam(evaluation, param.name, annotation, i, param.span))
      return false;
  }
  return true;
}

static const Function *elaborateEager(Evaluation &evaluation, FunctionObject &function,
                                      llvm::ArrayRef<Argument> arguments) {
  KernelBuilder builder(evaluation.ir, function.name);
  llvm::SaveAndRestore<KernelBuilder *> kernel(evaluation.kernel, &builder);
  Env *env = newEnv(evaluation, function.closure.env);
  evaluation.signature.declared.resize(function.params.size());
  if (!bindKeywords(evaluation, function, argumentsOf(function, arguments), *env) ||
      !bindTensorArguments(evaluation, function, *env) ||
      !bindDefaults(evaluation, function, *env, function.span))
    return nullptr;
  return runKernel(evaluation, function, *env, builder);
}

// What a factory returns, or the one kernel in a tuple of it; null: none, or several.
static FunctionObject *kernelAmong(const Value &result) {
  const auto *tuple = result.as<TupleObject>();
  if (!tuple)
    return result.as<FunctionObject>();
  FunctionObject *found = nullptr;
  for (const Value &item : tuple->items) {
    auto *function = item.as<FunctionObject>();
    bool isKernel = function && (function->role == FunctionRole::PrimFunc ||
                                 function->role == FunctionRole::Jit);
    if (!isKernel)
      continue;
    if (found)
      return nullptr;
    found = function;
  }
  return found;
}

const Function *elaborateKernel(Evaluation &evaluation, FunctionObject &function,
                                llvm::ArrayRef<Argument> arguments) {
  evaluation.signature.constants.assign(arguments.begin(), arguments.end());
  readJitOptions(evaluation, function);
  if (function.role == FunctionRole::PrimFunc)
    return elaboratePrimFunc(evaluation, function, function.name);
  if (function.role == FunctionRole::Jit && isEagerKernel(*function.def))
    return elaborateEager(evaluation, function, arguments);
  FunctionObject *current = &function;
  // A factory may return a factory.
  for (unsigned calls = 0; current->role != FunctionRole::PrimFunc; ++calls) {
    Env *env = newEnv(evaluation, current->closure.env);
    Value result =
        callFunction(evaluation, *current, argumentsOf(*current, arguments), *env, current->span);
    if (!result)
      return nullptr;
    FunctionObject *returned = kernelAmong(result);
    if (!returned || calls == 4) {
      evaluation.fail(DiagId::NoKernelReturned, evaluation.control.returnSpan, current->name,
                      phraseFor(result));
      return nullptr;
    }
    current = returned;
    readJitOptions(evaluation, *current);
    if (current->role == FunctionRole::Jit && isEagerKernel(*current->def))
      return elaborateEager(evaluation, *current, arguments);
  }
  // Most factories call what they return "main".
  return elaboratePrimFunc(evaluation, *current,
                           current->name == "main" ? function.name : current->name);
}

} // namespace tilescope::frontend
