#include "core/exec/held_elements.h"

#include "core/exec/block_frame.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using ThreadSet = llvm::SmallVector<int64_t>; // ascending

ThreadSet threadsAt(const Layout &fragment, llvm::ArrayRef<int64_t> coordinates) {
  ThreadSet threads = {placeOf(fragment, coordinates).thread};
  for (const Digit &digit : fragment.replicas) {
    ThreadSet copies;
    for (int64_t thread : threads)
      for (int64_t copy = 0; copy != digit.extent; ++copy)
        copies.push_back(thread + copy * digit.stride);
    threads = std::move(copies);
  }
  llvm::sort(threads);
  return threads;
}

class LoopCheck {
public:
  LoopCheck(const Function &function, Findings &findings)
      : function_(function), findings_(findings), frame_(function, memory_) {}

  void check(const Parallel &loop) {
    if (!loop.layout || !loop.layout->isFragment() || !llvm::all_of(loop.extents, isConstant))
      return;
    llvm::SmallVector<int64_t> extents;
    for (const Expr *extent : loop.extents)
      extents.push_back(frame_.evaluateInt(extent));
    forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> iteration) {
      for (auto [var, value] : llvm::zip_equal(loop.vars, iteration))
        frame_.bind(var, Number{.i = value});
      threads_ = threadsAt(*loop.layout, iteration);
      run(loop.body);
    });
    for (const Var *var : loop.vars)
      frame_.unbind(var);
  }

private:
  static bool isConstant(const Expr *expr) { return llvm::isa<IntImm>(expr); }

  bool isKnown(const Expr *expr) {
    bool isKnown = !readsMemory(expr);
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isKnown &= !var || frame_.isBound(var);
    });
    return isKnown;
  }

  void run(const Stmt *stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
      if (isKnown(bind->value))
        frame_.bind(bind->var, frame_.evaluate(bind->value));
      else
        frame_.unbind(bind->var);
    }
    if (llvm::isa<Bind, Store>(stmt))
      for (const BufferAccess &access : accessesOf(scratch_, stmt))
        checkAccess(access, *stmt);
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      for (const Stmt *child : seq->stmts)
        run(child);
    const auto *branch = llvm::dyn_cast<If>(stmt);
    if (!branch || !isKnown(branch->condition))
      return;
    const Stmt *side = frame_.evaluateInt(branch->condition) ? branch->thenBody : branch->elseBody;
    if (side)
      run(side);
  }

  void checkAccess(const BufferAccess &access, const Stmt &stmt) {
    const Buffer &buffer = function_.buffer(access.buffer);
    auto isRangeKnown = [&](const Range &range) { return isKnown(range.min); };
    if (!buffer.layout || !buffer.layout->isFragment() ||
        !llvm::all_of(access.ranges, isRangeKnown))
      return;
    llvm::SmallVector<int64_t> element;
    for (const Range &range : access.ranges)
      element.push_back(frame_.evaluateInt(range.min));
    ThreadSet holders = threadsAt(*buffer.layout, element);
    auto isHolder = [&](int64_t thread) { return llvm::is_contained(holders, thread); };
    bool isRight = access.effect == Effect::Read ? llvm::all_of(threads_, isHolder)
                                                 : llvm::equal(threads_, holders);
    if (isRight)
      return;
    auto other = llvm::find_if_not(threads_, isHolder);
    findings_.add({.kind = FindingKind::OtherThread,
                   .stmt = &stmt,
                   .buffer = buffer.name,
                   .detail = indexText(element),
                   .thread = other == threads_.end() ? threads_.front() : *other});
  }

  const Function &function_;
  Findings &findings_;
  Context scratch_;
  GlobalMemory memory_;
  BlockFrame frame_;
  ThreadSet threads_; // that do the iteration
};

} // namespace

void findElementsHeldElsewhere(const Function &function, Findings &findings) {
  LoopCheck check(function, findings);
  walk(function.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<Parallel>(stmt);
    if (loop)
      check.check(*loop);
    return !loop;
  });
}

} // namespace tilescope
