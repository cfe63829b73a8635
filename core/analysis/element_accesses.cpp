#include "core/analysis/element_accesses.h"

#include "core/analysis/bounds_guard.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

bool isSameBox(llvm::ArrayRef<Range> a, llvm::ArrayRef<Range> b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
    auto [x, y] = pair;
    return isSameExpr(x.min, y.min) && isSameExpr(x.extent, y.extent);
  });
}

} // namespace

void ElementAccesses::visit(const Stmt *stmt) {
  stmt_ = stmt;
  forEachExpr(stmt, [&](const Expr *expr) { visitLoads(expr); });
  if (const auto *store = llvm::dyn_cast<Store>(stmt))
    write(store->buffer, rangesOf(store->indices));
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  if (!op)
    return;
  for (auto [index, region] : llvm::enumerate(op->regions))
    if (op->operand(index).effect != Effect::Write && !op->operand(index).leavesRest)
      visitOldValue(*op, region, op->operand(index));
  for (auto [index, region] : llvm::enumerate(op->regions))
    if (op->operand(index).leavesRest)
      writeSome(region.buffer, region.ranges);
    else if (op->operand(index).effect != Effect::Read)
      write(region.buffer, region.ranges);
}

bool ElementAccesses::hasDoubtSince(size_t mark) const {
  return llvm::any_of(llvm::drop_begin(found_, mark),
                      [](const UninitialisedElement &one) { return !one.isCertain; });
}

void ElementAccesses::dropDoubts(size_t mark) {
  found_.erase(std::remove_if(found_.begin() + static_cast<ptrdiff_t>(mark), found_.end(),
                              [](const UninitialisedElement &one) { return !one.isCertain; }),
               found_.end());
}

void ElementAccesses::visitLoads(const Expr *expr) {
  if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    visitLoads(select->condition);
    for (bool holds : {true, false}) {
      const Expr *side = holds ? select->whenTrue : select->whenFalse;
      if (readsMemory(side))
        visitUnder({select->condition, holds}, [&] { visitLoads(side); });
    }
    return;
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
    visitLoads(binary->lhs);
    if (readsMemory(binary->rhs))
      visitUnder({binary->lhs, binary->op == BinaryOp::And}, [&] { visitLoads(binary->rhs); });
    return;
  }
  forEachChild(expr, [&](const Expr *child) { visitLoads(child); });
  if (const auto *load = llvm::dyn_cast<Load>(expr))
    read(load->buffer, rangesOf(load->indices));
}

// Of what is added to, if it is not cleared first.
void ElementAccesses::visitOldValue(const OpStmt &op, const BufferRegion &region,
                                    const OperandInfo &operand) {
  Clearing clearing = clearingOf(op, operand);
  if (clearing == Clearing::Never)
    readAsFarAsWritten(op, region);
  if (clearing == Clearing::OnCondition)
    visitUnder({op.args[*operand.clearedByArg], false},
               [&] { read(region.buffer, region.ranges); });
}

// What lies outside of a tensor is not written, and what would go there is not read.
void ElementAccesses::readAsFarAsWritten(const OpStmt &op, const BufferRegion &region) {
  std::optional<size_t> index = written_.indexOf(region.buffer);
  if (!index || written_.seen(*index).isAll())
    return;
  if (op.opInfo().work != OpWork::Move || written_.indexOf(op.regions[1].buffer))
    return read(region.buffer, region.ranges);
  const Buffer &to = facts_.function().buffer(op.regions[1].buffer);
  llvm::ArrayRef<Range> wanted = op.regions[1].ranges;
  bool isInside = coordinatesAtRisk(facts_.affine(), to, wanted).empty();
  llvm::SaveAndRestore unknown(place_.unknownConditions, place_.unknownConditions + !isInside);
  read(region.buffer, isInside ? llvm::to_vector(region.ranges) : cut(region.ranges, to, wanted));
}

// The axes of more than one element go together, in order.
llvm::SmallVector<Range> ElementAccesses::cut(llvm::ArrayRef<Range> from, const Buffer &to,
                                              llvm::ArrayRef<Range> wanted) {
  Builder builder(facts_.context());
  llvm::SmallVector<Range> ranges = llvm::to_vector(from);
  size_t axis = 0;
  for (auto [range, shape] : llvm::zip_equal(wanted, to.shape)) {
    if (constantValue(range.extent) == 1)
      continue;
    while (axis != ranges.size() && constantValue(ranges[axis].extent) == 1)
      ++axis;
    if (axis == ranges.size())
      break;
    std::optional<int64_t> first = facts_.affine().bounds(range.min).lower;
    std::optional<int64_t> end = constantValue(shape), extent = constantValue(ranges[axis].extent);
    if (first && end && extent && *first >= 0 && *first < *end && *extent > *end - *first)
      ranges[axis].extent = builder.integer(*end - *first, ranges[axis].extent->dtype());
    ++axis;
  }
  return ranges;
}

void ElementAccesses::visitUnder(WriteGuard guard, llvm::function_ref<void()> action) {
  Lanes active = frame_.activeUnder(guard.condition, guard.holds);
  bool isKnown = !active.empty();
  if (isKnown && llvm::all_of(active, [](int64_t lane) { return lane == 0; }))
    return;
  if (!isKnown) {
    Proof proof = facts_.affine().prove(guard.condition);
    if (proof == (guard.holds ? Proof::False : Proof::True))
      return;
    isKnown = proof != Proof::Unknown;
    active = frame_.active();
  }
  Lanes outside = frame_.active();
  llvm::SaveAndRestore unknown(place_.unknownConditions, place_.unknownConditions + !isKnown);
  frame_.setActive(std::move(active));
  facts_.assume(guard.condition, guard.holds);
  action();
  facts_.leave();
  frame_.setActive(std::move(outside));
}

llvm::SmallVector<Range> ElementAccesses::rangesOf(ExprList indices) {
  Builder builder(facts_.context());
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({index, builder.integer(1, index->dtype())});
  return ranges;
}

void ElementAccesses::write(BufferId id, llvm::ArrayRef<Range> ranges) {
  std::optional<size_t> index = written_.indexOf(id);
  if (!index || written_.seen(*index).isAll())
    return;
  bool isSure = place_.unknownConditions == 0;
  bool isExact = written_.write(*index, ranges, frame_, isSure);
  // Lanes of a nest see what they wrote themselves by this alone.
  if (place_.nest || !isExact || !isSure)
    guarded_.add(*index, ranges, isExact && isSure);
}

void ElementAccesses::writeSome(BufferId id, llvm::ArrayRef<Range> ranges) {
  if (std::optional<size_t> index = written_.indexOf(id))
    written_.write(*index, ranges, frame_, /*isSure=*/false);
}

void ElementAccesses::read(BufferId id, llvm::ArrayRef<Range> ranges) {
  std::optional<size_t> index = written_.indexOf(id);
  if (!index)
    return;
  auto look = [&](const ElementSet &seen) { return written_.read(*index, ranges, frame_, seen); };
  WrittenElements::Reading reading = look(written_.seen(*index));
  if (reading.isCovered)
    return;
  bool isCertain = reading.isUnwritten && canBeCertain(*index, ranges);
  bool isShown = !isCertain && (guarded_.covers(*index, ranges) ||
                                look(guarded_.with(*index, written_.seen(*index))).isCovered);
  if (!isShown && !isWrittenByRoles(*index))
    report(id, isCertain, std::move(reading.element));
}

// What the walk has not come to yet, roles that run at the same time may have written, where it is
// known that this one waits for them.
bool ElementAccesses::isWrittenByRoles(size_t index) {
  const Buffer &buffer = written_.buffer(index);
  if (!place_.role || !isShared(buffer.scope))
    return false;
  if (!roleWrites_)
    roleWrites_.emplace(facts_.context(), facts_.function());
  return roleWrites_->areBefore(stmt_, buffer.id);
}

// Whether nothing else can have written before the first run of the read.
bool ElementAccesses::canBeCertain(size_t index, llvm::ArrayRef<Range> ranges) const {
  bool isLater = place_.unsureLoop && written_.writes(place_.unsureLoop, index);
  for (const Stmt *stmt : place_.beside)
    isLater |= stmt && written_.writes(stmt, index);
  return place_.unknownConditions == 0 && !place_.isLaterIteration && !isLater &&
         !(place_.nest && isWrittenElsewhere(index, ranges));
}

// By another lane of the nest, which may come first: a statement writes other elements than this
// lane reads, or the other lane does not read them.
bool ElementAccesses::isWrittenElsewhere(size_t index, llvm::ArrayRef<Range> ranges) const {
  BufferId id = written_.buffer(index).id;
  bool isOfSome = frame_.active() != Lanes{1};
  bool found = false;
  walk(place_.nest->body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(facts_.context(), stmt))
      found |= access.buffer == id && access.effect != Effect::Read &&
               (isOfSome || !isSameBox(access.ranges, ranges));
    return !found;
  });
  return found;
}

void ElementAccesses::report(BufferId id, bool isCertain, llvm::SmallVector<int64_t> element) {
  auto known = llvm::find_if(found_, [&](const UninitialisedElement &one) {
    return one.stmt == stmt_ && one.buffer == id;
  });
  if (known == found_.end())
    found_.push_back({stmt_, id, isCertain, std::move(element)});
  else if (isCertain && !known->isCertain)
    *known = {stmt_, id, true, std::move(element)};
}

} // namespace tilescope
