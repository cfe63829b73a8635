// T.print of a message, of a value, and of a buffer: element after element, by one thread.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"
#include "core/ir/visit.h"

namespace tilescope::frontend {

namespace {

const Stmt *printOf(Args &args, const Expr *value, const Expr *index, llvm::StringRef message,
                    llvm::StringRef buffer) {
  Evaluation &evaluation = args.evaluation;
  Context &context = evaluation.context;
  return evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Print, {}, {value, index},
                          {{Attr::Message, context.textNumber(message)},
                           {Attr::BufferName, context.textNumber(buffer)}});
}

// for i in range(elements): print(buffer[coordinates of i])
const Stmt *printElements(Args &args, const BufferObject &buffer, llvm::StringRef message,
                          llvm::StringRef name) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  const Expr *elements = ir.integer(1);
  for (const Expr *extent : buffer.draft.shape)
    elements = ir.mul(elements, ir.cast(DType::int32(), extent));
  const Var *element = ir.var("element", DType::int32());
  llvm::SmallVector<const Expr *> indices(buffer.draft.shape.size());
  const Expr *rest = element;
  for (size_t axis = indices.size(); axis-- > 0;) {
    const Expr *extent = ir.cast(DType::int32(), buffer.draft.shape[axis]);
    indices[axis] = ir.floorMod(rest, extent);
    rest = ir.floorDiv(rest, extent);
  }
  const Stmt *line = printOf(args, ir.load(buffer.draft, nullptr, indices), element, message, name);
  return evaluation.context.make<For>(ir.fresh(args.span), element, ir.integer(0), elements,
                                      ForKind::Serial, line);
}

// Whoever prints sees what all threads hold together only in shared memory.
BufferObject *sharedCopyOf(Args &args, const BufferObject &tile) {
  Evaluation &evaluation = args.evaluation;
  BufferObject *copy = evaluation.kernel->addBuffer(
      evaluation.heap, tile.draft.dtype, tile.draft.shape, Scope::SharedStatic, args.span);
  evaluation.kernel->nameBuffer(*copy, "printed");
  auto whole = [&](const BufferObject &buffer) {
    llvm::SmallVector<Range, 4> ranges;
    for (const Expr *extent : buffer.draft.shape)
      ranges.push_back({evaluation.ir.integer(0, extent->dtype()), extent});
    return evaluation.ir.region(buffer.draft.id, nullptr, ranges, args.span);
  };
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Copy, {whole(tile), whole(*copy)}));
  return copy;
}

// Each thread prints registers of its own and tensors, one of them what all hold together.
Value printBuffer(Args &args, BufferObject &buffer, std::string message) {
  Evaluation &evaluation = args.evaluation;
  std::optional<int64_t> group = args.integer("warp_group_id");
  std::optional<int64_t> warp = group ? args.integer("warp_id") : std::nullopt;
  if (!warp)
    return Value();
  Scope scope = buffer.draft.scope;
  if (message.empty() && scope != Scope::Global)
    message = "buffer<" + buffer.sourceName + ", " + buffer.draft.dtype.name() + ">";
  const BufferObject *shown = scope == Scope::Fragment ? sharedCopyOf(args, buffer) : &buffer;
  const Stmt *lines = printElements(args, *shown, message, buffer.sourceName);
  if (scope == Scope::Fragment || isShared(scope)) {
    Builder &ir = evaluation.ir;
    const Expr *thread = ir.integer(*group * 128 + *warp * 32);
    const Expr *isOne = ir.binary(BinaryOp::Equal, evaluation.kernel->launch()->threadVar, thread);
    lines = evaluation.context.make<If>(ir.fresh(args.span), isOne, lines, nullptr);
  }
  evaluation.kernel->emit(lines);
  return Value::none();
}

} // namespace

Value tilePrint(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<std::string> message = args.text("msg");
  if (!message)
    return Value();
  Value object = args.has("obj") ? loadVariable(evaluation, args["obj"]) : Value::none();
  if (auto *buffer = object.as<BufferObject>())
    return printBuffer(args, *buffer, *message);
  if (object.isNone()) {
    evaluation.kernel->emit(printOf(args, nullptr, nullptr, *message, ""));
    return Value::none();
  }
  const Expr *value = toExpr(evaluation, object, args.spanOf("obj"));
  if (!value)
    return Value();
  if (readsMemory(value))
    value = evaluation.kernel->bind("var", value, args.span);
  evaluation.kernel->emit(printOf(args, value, nullptr, *message, ""));
  return Value::none();
}

} // namespace tilescope::frontend
