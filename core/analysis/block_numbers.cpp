#include "core/analysis/block_numbers.h"

#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// One that all of several say, as they are written.
template <typename T> struct OnlyOne {
  std::optional<T> value;
  bool isOne = true;

  template <typename Same> void add(T other, Same isSame) {
    isOne &= !value || isSame(*value, other);
    value = other;
  }
};

bool isSameRegion(const BufferRegion *a, const BufferRegion *b) {
  return a->buffer == b->buffer && isSameExpr(a->slot, b->slot) &&
         a->ranges.size() == b->ranges.size() &&
         llvm::all_of(llvm::zip(a->ranges, b->ranges), [](auto pair) {
           auto &[one, other] = pair;
           return isSameExpr(one.min, other.min) && isSameExpr(one.extent, other.extent);
         });
}

} // namespace

void BlockNumbers::addLoop(uint32_t index, const AccessNode &node, const For &loop) {
  if (hasBegun_ && node.minTrips != node.maxTrips && loop.forKind != ForKind::Endless &&
      !mayEndEarly(loop))
    numbers_.push_back({BlockNumber::Kind::Trips, index, 0, loop.extent});
}

// What a loop around it decides is known.
void BlockNumbers::addCondition(uint32_t index, const AccessNode &node, const Expr *condition) {
  bool isGuard =
      llvm::any_of(loops_, [&](const For *loop) { return loop->id() == node.guardLoop; });
  if (hasBegun_ && !isGuard && !node.rangeLoop.isValid())
    numbers_.push_back({BlockNumber::Kind::Condition, index, 0, condition});
}

void BlockNumbers::addLeaf(uint32_t index, const AccessNode &node, StmtList run) {
  for (auto [at, access] : llvm::enumerate(node.accesses)) {
    bool isOpen = access.slot.kind == Slot::Kind::Dynamic && access.slot.counter.terms.empty();
    bool isMbarrierOpen = access.mbarrier && access.mbarrier->modulus == 0;
    if (!hasBegun_ || !(isOpen || isMbarrierOpen))
      continue;
    OnlyOne<const Expr *> slot;
    OnlyOne<const BufferRegion *> mbarrier;
    for (const Stmt *root : run)
      walk(root, [&](const Stmt *stmt) {
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        bool isTouched = false;
        for (const BufferAccess &touch : accessesOf(context_, stmt)) {
          isTouched |= touch.buffer == access.buffer;
          if (touch.buffer == access.buffer)
            slot.add(touch.slot, isSameExpr);
        }
        for (size_t operand = 0; isTouched && op && operand != op->regions.size(); ++operand)
          if (op->operand(operand).isMbarrier)
            mbarrier.add(&op->regions[operand], isSameRegion);
        return true;
      });
    const Buffer &buffer = function_.buffer(access.buffer);
    if (isOpen && slot.isOne && slot.value && *slot.value)
      add({BlockNumber::Kind::Slot, index, at},
          openSlot(affine_, *slot.value, buffer.versions, loops_));
    if (isMbarrierOpen && mbarrier.isOne && mbarrier.value)
      addMbarrier({BlockNumber::Kind::CopyMbarrier, index, at}, **mbarrier.value);
  }
}

void BlockNumbers::addSync(uint32_t index, const AccessNode &node, const OpStmt &op) {
  if (node.mbarrier && node.mbarrier->modulus == 0)
    addMbarrier({BlockNumber::Kind::Mbarrier, index}, op.regions[0]);
  if (node.kind == AccessNode::Kind::WaitPhase && node.parity.divisor == 0)
    add({BlockNumber::Kind::Parity, index}, openParity(affine_, op.args[0], loops_));
}

void BlockNumbers::dropFrom(uint32_t index) {
  llvm::erase_if(numbers_, [&](const BlockNumber &number) { return number.node >= index; });
}

void BlockNumbers::add(BlockNumber number, std::optional<OpenCounter> open) {
  if (!open || !hasBegun_)
    return;
  number.expr = open->rest;
  number.counter = std::move(open->counter);
  number.modulus = open->modulus;
  numbers_.push_back(std::move(number));
}

void BlockNumbers::addMbarrier(BlockNumber number, const BufferRegion &region) {
  number.first = syncs_.firstOf(region);
  add(std::move(number), syncs_.openMbarrier(region));
}

} // namespace tilescope
