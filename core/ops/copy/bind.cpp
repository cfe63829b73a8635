// T.copy. What its operands mean stands in DESIGN: extents come from the operand nearest to the
// registers, an element is only a start, two elements are one element.
#include "core/frontend/buffers.h"
#include "core/frontend/clusters.h"
#include "core/frontend/loops.h"
#include "core/frontend/mbarriers.h"
#include "core/frontend/tile_operands.h"
#include "core/hopper/mbarrier.h"
#include "core/ir/cluster_size.h"
#include "core/ir/view_shapes.h"

#include "llvm/Support/MathExtras.h"

namespace tilescope::frontend {

// Both are elements: a store of one value.
static Value copyElement(Args &args, const Operand &destination) {
  bool stored =
      storeElement(args.evaluation, *destination.buffer, destination.axes, args["src"], args.span);
  return stored ? Value::none() : Value();
}

static std::optional<int64_t> preferredInstruction(Args &args) {
  std::optional<std::string> name = args.text("prefer_instruction");
  if (!name)
    return std::nullopt;
  if (*name == "cp_async")
    return static_cast<int64_t>(CopyInstruction::CpAsync);
  if (*name == "sync")
    return static_cast<int64_t>(CopyInstruction::Synchronous);
  if (name->empty() || *name == "tma")
    return static_cast<int64_t>(CopyInstruction::Automatic);
  args.wrongType("prefer_instruction", "\"tma\", \"cp_async\" or \"sync\"");
  return std::nullopt;
}

// As a parallel loop, in the layout that the kernel gives or as its extents at run time have it.
static Value copyElements(Args &args, const Operand &source, const Operand &destination) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  ElementLoop loop = loopOverElements(evaluation, destination);
  std::optional<const Layout *> layout = loopLayoutIn(args, loop.extents);
  if (!layout)
    return Value();
  if (source.wideAxes().size() != loop.vars.size())
    return args.wrongType("loop_layout", "left out where the sides of a copy have other axes");
  const Expr *element = ir.load(source.buffer->draft, nullptr, loop.placesIn(evaluation, source));
  const Expr *value = ir.cast(destination.buffer->draft.dtype, element);
  loop.emit(evaluation, destination, value, *layout, args.span);
  return Value::none();
}

namespace {

struct Sides {
  Operand source, destination;
};

} // namespace

// With equal extents, unless both are elements; nullopt after reporting.
static std::optional<Sides> readSides(Args &args) {
  std::optional<Operand> source = toOperand(args, "src");
  std::optional<Operand> destination = source ? toOperand(args, "dst") : std::nullopt;
  if (!destination)
    return std::nullopt;
  if (source->isPoint() && destination->isPoint())
    return Sides{std::move(*source), std::move(*destination)};
  if (source->isPoint())
    extendPoint(args.evaluation, *source, *destination);
  else if (destination->isPoint())
    extendPoint(args.evaluation, *destination, *source);
  if (!matchExtents(args, *source, *destination))
    return std::nullopt;
  warnOfExcess(args.evaluation, *source);
  warnOfExcess(args.evaluation, *destination);
  return Sides{std::move(*source), std::move(*destination)};
}

Value tileCopy(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Sides> sides = kernel ? readSides(args) : std::nullopt;
  std::optional<int64_t> width = sides ? args.integer("coalesced_width") : std::nullopt;
  std::optional<int64_t> prefer = width ? preferredInstruction(args) : std::nullopt;
  if (!prefer)
    return Value();
  if (sides->source.isPoint() && sides->destination.isPoint())
    return copyElement(args, sides->destination);
  if (args.has("loop_layout") || sides->destination.hasRunTimeExtent())
    return copyElements(args, sides->source, sides->destination);
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Copy,
                                {sides->source.region(context), sides->destination.region(context)},
                                {}, {{Attr::CoalescedWidth, *width}, {Attr::Prefer, *prefer}}));
  return Value::none();
}

// A group of its own, for which a T.ptx_wait_group of the kernel waits.
Value tileAsyncCopy(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Sides> sides = kernel ? readSides(args) : std::nullopt;
  std::optional<int64_t> width = sides ? args.integer("coalesced_width") : std::nullopt;
  if (!width)
    return Value();
  const Operand &source = sides->source, &destination = sides->destination;
  if (source.buffer->draft.scope != Scope::Global)
    return args.wrongType("src", "a tile of a tensor");
  if (!isShared(destination.buffer->draft.scope))
    return args.wrongType("dst", "a tile of shared memory");
  if (args.has("loop_layout"))
    return args.wrongType("loop_layout", "left out: the copy chooses its threads");
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Copy,
                                {source.region(context), destination.region(context)}, {},
                                {{Attr::Async, 1}, {Attr::CoalescedWidth, *width}}));
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::CommitGroup, {}, {}, {}));
  return Value::none();
}

// Blocks of the cluster that a copy goes to; 0: each copies for itself, as with one block too.
static std::optional<int64_t> clusterMask(Args &args) {
  if (!args.has("cluster_mask"))
    return 0;
  Value value = args["cluster_mask"];
  int64_t mask = value.isIntegral() ? value.asInt() : 0;
  if (mask < 1) {
    args.wrongType("cluster_mask", "a bit for each of some blocks of the cluster");
    return std::nullopt;
  }
  int64_t blocks = blocksOfCluster(args.evaluation.kernel->launch()->cluster);
  if (mask >> blocks != 0) {
    args.evaluation.fail(DiagId::ClusterMask, args.spanOf("cluster_mask"), mask, blocks);
    return std::nullopt;
  }
  return llvm::isPowerOf2_64(static_cast<uint64_t>(mask)) ? 0 : mask;
}

namespace {

struct TmaSides {
  Sides sides;
  int64_t bytes = 0;

  const Stmt *copy(Evaluation &evaluation, const BufferRegion &barrier, int64_t mask,
                   Span span) const {
    Context &context = evaluation.context;
    return evaluation.ir.op(
        evaluation.ir.fresh(span), Op::TmaCopy,
        {sides.source.region(context), sides.destination.region(context), barrier}, {},
        {{Attr::ClusterMask, mask}});
  }
};

} // namespace

// Nullopt after reporting.
static std::optional<TmaSides> readTmaSides(Args &args) {
  std::optional<Sides> sides = readSides(args);
  if (!sides)
    return std::nullopt;
  const Operand &destination = sides->destination;
  llvm::SmallVector<const Expr *> extents;
  for (const Axis &axis : destination.axes)
    extents.push_back(axis.extent);
  const int64_t elements = elementCount(extents).value_or(INT64_MAX);
  DType dtype = destination.buffer->draft.dtype;
  bool isInShared =
      destination.buffer->draft.scope == Scope::Shared && !destination.hasRunTimeExtent();
  if (sides->source.buffer->draft.scope != Scope::Global)
    args.wrongType("src", "a tile of a tensor");
  else if (!isInShared)
    args.wrongType("dst", "a tile of shared memory");
  else if (elements > MbarrierMaxCount || dtype.bytes(elements) > MbarrierMaxCount)
    args.wrongType("dst", "a tile of at most 2^20 - 1 bytes");
  else
    return TmaSides{std::move(*sides), dtype.bytes(elements)};
  return std::nullopt;
}

// One thread starts it; the barrier, at which it does not arrive, counts its bytes.
Value tileTmaCopy(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  if (!args.has("barrier"))
    return evaluation.fail(DiagId::NotSupportedYet, args.span, "T.tma_copy without a barrier");
  if (!args.refuse({"leader_scope_threads"}))
    return Value();
  std::optional<int64_t> mask = clusterMask(args);
  std::optional<TmaSides> tile = mask ? readTmaSides(args) : std::nullopt;
  std::optional<BufferRegion> barrier = tile ? mbarrierOf(args, "barrier") : std::nullopt;
  if (!barrier)
    return Value();
  Builder &ir = evaluation.ir;
  kernel->emit(
      ir.op(ir.fresh(args.span), Op::MbarrierExpect, *barrier, {}, {{Attr::Bytes, tile->bytes}}));
  kernel->emit(tile->copy(evaluation, *barrier, *mask, args.span));
  return Value::none();
}

// Waited for, like T.copy: so all blocks of the cluster meet before it, since the first of the mask
// overwrites what others may still read. Each thread counts its phases, wherever the copy stands.
static void emitCopyInStep(Args &args, KernelBuilder &kernel, const TmaSides &tile, int64_t mask) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  llvm::StringRef name = tile.sides.destination.buffer->sourceName;
  BufferObject *full =
      kernel.addBuffer(evaluation.heap, DType::uint64(), ir.integer(1), Scope::Shared, args.span);
  full->isMbarrier = true;
  full->sourceName = (name + "_full").str();
  BufferObject *phase =
      kernel.addBuffer(evaluation.heap, DType::int32(), ir.integer(1), Scope::LocalVar, args.span);
  phase->sourceName = (name + "_phase").str();
  BufferRegion barrier =
      ir.region(full->draft.id, nullptr, Range{ir.integer(0), ir.integer(1)}, args.span);
  ExprList only = evaluation.context.copy<const Expr *>({ir.integer(0)});
  const Expr *count = ir.load(phase->draft, nullptr, only);
  auto emit = [&](Op op, ExprList exprs, llvm::ArrayRef<std::pair<Attr, int64_t>> attrs) {
    return ir.op(ir.fresh(args.span), op, barrier, exprs, attrs);
  };
  auto store = [&](const Expr *value) {
    return evaluation.context.make<Store>(ir.fresh(args.span), phase->draft.id, nullptr, only,
                                          value);
  };
  kernel.launch()->first.push_back(emit(Op::MbarrierInit, {}, {}));
  kernel.launch()->first.push_back(store(ir.integer(0)));
  kernel.emit(ir.op(ir.fresh(args.span), Op::ClusterBarrier, {}));
  kernel.emit(emit(Op::MbarrierArriveExpect, {}, {{Attr::Bytes, tile.bytes}}));
  kernel.emit(tile.copy(evaluation, barrier, mask, args.span));
  kernel.emit(emit(Op::MbarrierWait, {ir.floorMod(count, ir.integer(2))}, {}));
  kernel.emit(store(ir.add(count, ir.integer(1))));
}

Value tileCopyCluster(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  auto refuse = [&](const char *where) {
    return args.evaluation.fail(DiagId::NotSupportedYet, args.span, args.callee() + where);
  };
  if (args.has("dst_block") || args.has("remote_barrier"))
    return refuse(" between the shared memories of two blocks");
  if (!args.has("cluster_mask"))
    return refuse(" without a cluster_mask");
  if (kernel->launch()->role || kernel->launch()->side)
    return refuse(" in a role or a condition, where not all threads meet,");
  std::optional<int64_t> mask = clusterMask(args);
  std::optional<TmaSides> tile = mask ? readTmaSides(args) : std::nullopt;
  if (!tile)
    return Value();
  emitCopyInStep(args, *kernel, *tile, *mask);
  return Value::none();
}

} // namespace tilescope::frontend
