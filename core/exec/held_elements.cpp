#include "core/exec/held_elements.h"

#include "core/analysis/layouts/layout_state.h"
#include "core/exec/block_frame.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using ThreadSet = llvm::SmallVector<int64_t>; // ascending
using Coordinates = llvm::SmallVector<int64_t>;

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

// One that is in one of the two only, if any; rather of the first.
std::optional<int64_t> firstDifference(const ThreadSet &first, const ThreadSet &second) {
  ThreadSet difference;
  std::set_difference(first.begin(), first.end(), second.begin(), second.end(),
                      std::back_inserter(difference));
  if (difference.empty())
    std::set_difference(second.begin(), second.end(), first.begin(), first.end(),
                        std::back_inserter(difference));
  return difference.empty() ? std::nullopt : std::optional(difference.front());
}

void report(Findings &findings, const Stmt &stmt, const Buffer &buffer,
            llvm::ArrayRef<int64_t> element, int64_t thread,
            llvm::StringRef why = ", which other threads hold") {
  findings.add({.kind = FindingKind::OtherThread,
                .stmt = &stmt,
                .buffer = buffer.name,
                .detail = indexText(element) + why.str(),
                .thread = thread});
}

// ---- Iterations of a parallel loop --------------------------------------------------------------

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
    report(findings_, stmt, buffer, element, other == threads_.end() ? threads_.front() : *other);
  }

  const Function &function_;
  Findings &findings_;
  Context scratch_;
  GlobalMemory memory_;
  BlockFrame frame_;
  ThreadSet threads_; // that do the iteration
};

// ---- Operands of operations ---------------------------------------------------------------------

// A part of a fragment at a place that is known.
struct HeldPart {
  const Buffer &buffer;
  Coordinates begin;
  llvm::SmallVector<size_t> axes; // of extents other than 1
  Coordinates extents;            // of these

  Coordinates at(llvm::ArrayRef<int64_t> coordinates) const {
    Coordinates element = begin;
    for (auto [axis, coordinate] : llvm::zip_equal(axes, coordinates))
      element[axis] += coordinate;
    return element;
  }
  ThreadSet holdersAt(llvm::ArrayRef<int64_t> coordinates) const {
    return threadsAt(*buffer.layout, at(coordinates));
  }
};

// Nothing: it is no fragment, or nobody knows where.
std::optional<HeldPart> heldPartOf(const Function &function, const BufferRegion &region) {
  HeldPart part{function.buffer(region.buffer), {}, {}, {}};
  if (!part.buffer.layout || !part.buffer.layout->isFragment())
    return std::nullopt;
  for (auto [axis, range] : llvm::enumerate(region.ranges)) {
    std::optional<int64_t> min = constantValue(range.min), extent = constantValue(range.extent);
    if (!min || !extent)
      return std::nullopt;
    part.begin.push_back(*min);
    if (*extent == 1)
      continue;
    part.axes.push_back(axis);
    part.extents.push_back(*extent);
  }
  return part;
}

// Who holds an element that is moved to holds the one that is moved.
void checkMove(const OpStmt &op, const HeldPart &from, const HeldPart &to, Findings &findings) {
  if (from.extents != to.extents)
    return;
  forEachCoordinate(from.extents, [&](llvm::ArrayRef<int64_t> coordinates) {
    ThreadSet holders = from.holdersAt(coordinates);
    ThreadSet movers = to.holdersAt(coordinates);
    auto isHolder = [&](int64_t thread) { return llvm::is_contained(holders, thread); };
    auto other = llvm::find_if_not(movers, isHolder);
    if (other != movers.end())
      report(findings, op, from.buffer, from.at(coordinates), *other);
  });
}

// Coordinates along an axis: of a whole one also those that no element has, which lanes take part
// with.
int64_t lanesAlong(const HeldPart &part, ptrdiff_t number) {
  size_t axis = part.axes[number];
  int64_t extent = part.extents[number];
  bool isWhole = constantValue(part.buffer.shape[axis]) == extent;
  return isWhole ? extentOf(part.buffer.layout->dims[axis]) : extent;
}

// Who holds a result are those that hold what is folded to it.
void checkFold(const OpStmt &op, const HeldPart &from, const HeldPart &to, Findings &findings) {
  auto folded = llvm::find(from.axes, static_cast<size_t>(op.attr(Attr::Dim))) - from.axes.begin();
  bool isOne = folded == static_cast<ptrdiff_t>(from.axes.size()); // of extent 1
  Coordinates kept = from.extents;
  if (!isOne)
    kept.erase(kept.begin() + folded);
  if (kept != to.extents)
    return;
  int64_t count = isOne ? 1 : lanesAlong(from, folded);
  forEachCoordinate(kept, [&](llvm::ArrayRef<int64_t> coordinates) {
    ThreadSet folders;
    for (int64_t at = 0; at != count; ++at) {
      Coordinates element(coordinates);
      if (!isOne)
        element.insert(element.begin() + folded, at);
      folders.append(from.holdersAt(element));
    }
    llvm::sort(folders);
    folders.erase(llvm::unique(folders), folders.end());
    if (std::optional<int64_t> other = firstDifference(folders, to.holdersAt(coordinates)))
      report(findings, op, to.buffer, to.at(coordinates), *other);
  });
}

void checkOperands(const Function &function, const OpStmt &op, Findings &findings) {
  OpWork work = op.opInfo().work;
  if (work != OpWork::Move && work != OpWork::Fold)
    return;
  std::optional<HeldPart> from = heldPartOf(function, op.regions[0]);
  std::optional<HeldPart> to = heldPartOf(function, op.regions[1]);
  if (!from || !to)
    return;
  if (work == OpWork::Move)
    checkMove(op, *from, *to, findings);
  else
    checkFold(op, *from, *to, findings);
}

// ---- What instructions dictate ------------------------------------------------------------------

void compareLayouts(const Stmt &stmt, const Buffer &buffer, const Layout &wanted,
                    Findings &findings) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  if (!shape || !buffer.layout->isFragment() || !wanted.isFragment())
    return;
  forEachCoordinate(*shape, [&](llvm::ArrayRef<int64_t> element) {
    ThreadSet holders = threadsAt(*buffer.layout, element);
    if (std::optional<int64_t> other = firstDifference(threadsAt(wanted, element), holders))
      report(findings, stmt, buffer, element, *other);
    else if (placeOf(*buffer.layout, element).reg != placeOf(wanted, element).reg)
      report(findings, stmt, buffer, element, holders.front(), ", which lies in another register");
  });
}

void checkInstructions(const Function &function, const Launch &launch, const Target &target,
                       Findings &findings) {
  Context scratch;
  LayoutState state(scratch, function, target, launch.threads);
  auto hasLayout = [&](const BufferRegion &region) {
    return !state.isFragment(region.buffer) || state.find(region.buffer);
  };
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && llvm::all_of(op->regions, hasLayout))
      inferLayout(state, *op, LayoutStrength::Strict);
    return true;
  });
  for (const LayoutConflict &conflict : state.conflicts())
    if (conflict.wanted)
      compareLayouts(*conflict.stmt, function.buffer(conflict.buffer), *conflict.wanted, findings);
}

} // namespace

void findElementsHeldElsewhere(const Function &function, const Target &target, Findings &findings) {
  if (!function.properties.has(Property::LayoutsInferred))
    return;
  LoopCheck check(function, findings);
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      checkInstructions(function, *launch, target, findings);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      checkOperands(function, *op, findings);
    const auto *loop = llvm::dyn_cast<Parallel>(stmt);
    if (loop)
      check.check(*loop);
    return !loop;
  });
}

} // namespace tilescope
