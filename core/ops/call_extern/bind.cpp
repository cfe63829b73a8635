// T.import_source, T.call_extern and what of T.Kernel they share: CUDA of the kernel's author.
#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/operation_results.h"
#include "core/ir/visit.h"

namespace tilescope::frontend {

namespace {

struct ForeignCall {
  llvm::SmallVector<BufferRegion> regions;
  llvm::SmallVector<const Expr *> values;
  std::string signature;
};

Operand wholeOf(Evaluation &evaluation, BufferObject &buffer, Span span) {
  Operand whole{&buffer, {}, true, span};
  for (const Expr *extent : buffer.draft.shape)
    whole.axes.push_back({evaluation.ir.integer(0, extent->dtype()), extent, false});
  return whole;
}

bool addPointer(const Args &args, const PointerObject &pointer, Span span, ForeignCall &call) {
  Evaluation &evaluation = args.evaluation;
  if (!pointer.buffer)
    return evaluation.failed(DiagId::WrongType, span, "a pointer that T.make_tensor was given",
                             "a pointer");
  if (pointer.buffer->draft.scope == Scope::Fragment)
    return evaluation.failed(DiagId::FragmentPointer, span, pointer.buffer->sourceName);
  Operand operand = wholeOf(evaluation, *pointer.buffer, span);
  if (!pointer.axes.empty())
    operand.axes = pointer.axes;
  call.regions.push_back(operand.region(evaluation.context));
  // What is written of all that there is nobody has said.
  bool isSomewhere = pointer.axes.empty() && pointer.effect == Effect::Write;
  call.signature += isSomewhere ? 's' : SignatureOperands[static_cast<size_t>(pointer.effect)];
  if (pointer.offset) {
    call.values.push_back(pointer.offset);
    call.signature += '+';
  }
  return true;
}

bool addArgument(const Args &args, const Arg &arg, ForeignCall &call) {
  Evaluation &evaluation = args.evaluation;
  if (const auto *pointer = arg.value.as<PointerObject>())
    return addPointer(args, *pointer, arg.span, call);
  Value value = arg.value;
  auto *buffer = value.as<BufferObject>();
  if (buffer && buffer->draft.scope != Scope::LocalVar) {
    PointerObject whole;
    whole.buffer = buffer;
    return addPointer(args, whole, arg.span, call);
  }
  const Expr *expr = toExpr(evaluation, loadVariable(evaluation, value), arg.span);
  if (!expr)
    return false;
  if (readsMemory(expr))
    expr = evaluation.kernel->bind("argument", expr, arg.span);
  call.values.push_back(expr);
  call.signature += 'v';
  return true;
}

// What the call gives; nullopt: nothing that anybody wants.
std::optional<DType> resultType(const Args &args, Value dtype) {
  std::optional<llvm::StringRef> text = textOf(dtype);
  bool isNothing = text && (*text == "handle" || *text == "void" || text->empty());
  if (isNothing || args.span == args.evaluation.control.discarded)
    return std::nullopt;
  return toDType(args.evaluation, dtype, args.span);
}

} // namespace

Value tileImportSource(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> source = args.text("source");
  if (!source || !evaluation.requireKernel(args.callee(), args.span))
    return Value();
  if (source->find('\0') != std::string::npos)
    return args.wrongType("source", "a text without zero bytes");
  evaluation.kernel->importSource(std::move(*source));
  return Value::none();
}

// `T.call_extern(dtype, name, ...)`, or `T.call_extern(name, ..., dtype=dtype)`.
Value tileCallExtern(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  llvm::ArrayRef<Arg> given = args.rest;
  Value dtype = args["dtype"];
  if (!args.has("dtype") && !given.empty()) {
    dtype = given.front().value;
    given = given.drop_front();
  }
  const auto *name = given.empty() ? nullptr : given.front().value.as<StringObject>();
  if (!name || !dtype)
    return evaluation.fail(DiagId::WrongType, args.span, "a dtype and the name of a function",
                           given.empty() ? "nothing" : phraseFor(given.front().value));
  ForeignCall call;
  for (const Arg &arg : given.drop_front())
    if (!addArgument(args, arg, call))
      return Value();
  std::optional<DType> type = resultType(args, dtype);
  std::optional<ResultVariable> result;
  if (type) {
    result = makeResult(args, *type);
    call.regions.insert(call.regions.begin(), result->region);
    call.signature.insert(0, "=");
  }
  Context &context = evaluation.context;
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::CallExtern, call.regions, call.values,
                       {{Attr::Callee, context.textNumber(name->text)},
                        {Attr::Signature, context.textNumber(call.signature)}}));
  return result ? fromExpr(evaluation, result->value, args.span) : Value::none();
}

} // namespace tilescope::frontend
