#include "core/frontend/tile_operands.h"

#include "core/frontend/buffers.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

bool Operand::isPoint() const {
  return !isWhole && llvm::all_of(axes, [](const Axis &axis) { return axis.isPoint; });
}

llvm::SmallVector<size_t, 4> Operand::wideAxes() const {
  llvm::SmallVector<size_t, 4> wide;
  for (size_t i = 0; i < axes.size(); ++i)
    if (constantValue(axes[i].extent) != 1)
      wide.push_back(i);
  return wide;
}

bool Operand::hasRunTimeExtent() const {
  return llvm::any_of(axes, [](const Axis &axis) { return !constantValue(axis.extent); });
}

std::string Operand::extentsText() const {
  std::string out = "(";
  for (const Axis &axis : axes) {
    std::optional<int64_t> constant = constantValue(axis.extent);
    out += (out.size() > 1 ? ", " : "") + (constant ? std::to_string(*constant) : "?");
  }
  return out + (axes.size() == 1 ? ",)" : ")");
}

BufferRegion Operand::region(Context &context) const {
  llvm::SmallVector<Range, 4> ranges;
  for (const Axis &axis : axes)
    ranges.push_back({axis.start, axis.extent});
  return {buffer->draft.id, nullptr, context.copy<Range>(ranges), span};
}

std::optional<Operand> toOperand(const Args &args, llvm::StringRef param) {
  Evaluation &evaluation = args.evaluation;
  Value value = args[param];
  Operand operand;
  operand.span = args.spanOf(param);
  if (auto *buffer = value.as<BufferObject>()) {
    if (!isRowVisible(evaluation, *buffer, operand.span))
      return std::nullopt;
    operand.buffer = buffer;
    operand.isWhole = true;
    for (const Expr *extent : buffer->draft.shape)
      operand.axes.push_back({evaluation.ir.integer(0, extent->dtype()), extent, false});
    return operand;
  }
  if (auto *region = value.as<RegionObject>()) {
    operand.buffer = region->buffer;
    operand.axes = region->axes;
    return operand;
  }
  if (const auto *pointer = value.as<PointerObject>(); pointer && !pointer->axes.empty()) {
    operand.buffer = pointer->buffer;
    operand.axes = pointer->axes;
    return operand;
  }
  const auto *load = value.isExpr() ? llvm::dyn_cast<Load>(value.asExpr()) : nullptr;
  KernelBuilder *kernel = evaluation.kernel;
  if (load && kernel) {
    operand.buffer = kernel->findBuffer(load->buffer);
    for (const Expr *index : load->indices)
      operand.axes.push_back({index, evaluation.ir.integer(1, index->dtype()), true});
    return operand;
  }
  if (const auto *tensor = value.as<TensorArgumentObject>())
    evaluation.fail(DiagId::TensorNotDeclared, operand.span, tensor->param.name);
  else
    args.wrongType(param, "a buffer, a slice or an element of one");
  return std::nullopt;
}

void extendPoint(Evaluation &evaluation, Operand &point, const Operand &other) {
  for (size_t i = 0; i < point.axes.size(); ++i) {
    size_t fromEnd = point.axes.size() - i;
    Axis &axis = point.axes[i];
    if (fromEnd <= other.axes.size())
      axis.extent = other.axes[other.axes.size() - fromEnd].extent;
    else
      axis.extent = evaluation.ir.integer(1, axis.start->dtype());
    axis.isPoint = false;
  }
}

// Registers first, then shared memory, then global memory.
static int distanceFromRegisters(const Operand &operand) {
  switch (operand.buffer->draft.scope) {
  case Scope::Fragment:
  case Scope::Local:
  case Scope::LocalVar:
    return 0;
  case Scope::Shared:
  case Scope::SharedStatic:
    return 1;
  case Scope::Global:
    return 2;
  }
  return 2;
}

bool matchExtents(const Args &args, Operand &source, Operand &destination) {
  Evaluation &evaluation = args.evaluation;
  llvm::SmallVector<size_t, 4> sourceAxes = source.wideAxes();
  llvm::SmallVector<size_t, 4> destinationAxes = destination.wideAxes();
  if (sourceAxes.size() != destinationAxes.size())
    return evaluation.failed(DiagId::AxisCountsDiffer, args.span, args.callee(),
                             source.extentsText(), destination.extentsText());
  bool sourceLeads = distanceFromRegisters(source) <= distanceFromRegisters(destination);
  Operand &leader = sourceLeads ? source : destination;
  Operand &follower = sourceLeads ? destination : source;
  const auto &leaderAxes = sourceLeads ? sourceAxes : destinationAxes;
  const auto &followerAxes = sourceLeads ? destinationAxes : sourceAxes;
  bool disagree = false;
  for (size_t i = 0; i < leaderAxes.size(); ++i) {
    std::optional<int64_t> a = constantValue(leader.axes[leaderAxes[i]].extent);
    std::optional<int64_t> b = constantValue(follower.axes[followerAxes[i]].extent);
    disagree |= a && b && *a != *b;
  }
  if (disagree && source.isWhole && destination.isWhole)
    return evaluation.failed(DiagId::ShapesDiffer, args.span, args.callee(), source.extentsText(),
                             destination.extentsText());
  if (disagree)
    evaluation.fail(DiagId::ExtentsDiffer, args.span, source.extentsText(),
                    destination.extentsText(), leader.buffer->sourceName);
  for (size_t i = 0; i < leaderAxes.size(); ++i)
    follower.axes[followerAxes[i]].extent = leader.axes[leaderAxes[i]].extent;
  return true;
}

ElementLoop loopOverElements(Evaluation &evaluation, const Operand &operand) {
  ElementLoop loop;
  for (size_t axis : operand.wideAxes()) {
    const Expr *extent = operand.axes[axis].extent;
    loop.vars.push_back(
        evaluation.kernel->newVar("i" + std::to_string(loop.vars.size()), extent->dtype()));
    loop.extents.push_back(extent);
  }
  return loop;
}

ExprList ElementLoop::placesIn(Evaluation &evaluation, const Operand &operand) const {
  Builder &ir = evaluation.ir;
  llvm::SmallVector<const Expr *> places;
  for (const Axis &axis : operand.axes)
    places.push_back(axis.start);
  for (auto [axis, var] : llvm::zip_equal(operand.wideAxes(), vars))
    places[axis] = ir.add(places[axis], ir.cast(places[axis]->dtype(), var));
  return evaluation.context.copy<const Expr *>(places);
}

void ElementLoop::emit(Evaluation &evaluation, const Operand &destination, const Expr *value,
                       const Layout *layout, Span span) const {
  Context &context = evaluation.context;
  Builder &ir = evaluation.ir;
  const Stmt *store = context.make<Store>(ir.fresh(span), destination.buffer->draft.id, nullptr,
                                          placesIn(evaluation, destination), value);
  evaluation.kernel->emit(context.make<Parallel>(ir.fresh(span), context.copy<const Var *>(vars),
                                                 context.copy<const Expr *>(extents), store, 0,
                                                 layout));
}

// Shared memory and registers need no warning here: outside of those is an error.
void warnOfExcess(Evaluation &evaluation, const Operand &operand) {
  const Buffer &buffer = operand.buffer->draft;
  if (buffer.scope != Scope::Global)
    return;
  for (auto [dimension, axis] : llvm::enumerate(operand.axes)) {
    std::optional<int64_t> taken = constantValue(axis.extent);
    std::optional<int64_t> there = constantValue(buffer.shape[dimension]);
    if (taken && there && *taken > *there)
      evaluation.fail(DiagId::RegionExceedsDimension, operand.span, *taken, dimension,
                      operand.buffer->sourceName, *there);
  }
}

std::optional<Operand> toTile(Args &args, llvm::StringRef param) {
  std::optional<Operand> operand = toOperand(args, param);
  if (!operand || !operand->isPoint())
    return operand;
  args.wrongType(param, "a tile");
  return std::nullopt;
}

} // namespace tilescope::frontend
