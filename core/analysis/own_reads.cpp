#include "core/analysis/own_reads.h"

#include "core/analysis/element_owners.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Loads that are made whenever the expression is: not those of a side that may not be chosen.
void collectSureLoads(const Expr *expr, llvm::SmallPtrSetImpl<const Expr *> &loads) {
  if (llvm::isa<Load>(expr))
    loads.insert(expr);
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    return collectSureLoads(select->condition, loads);
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
    return collectSureLoads(binary->lhs, loads);
  forEachChild(expr, [&](const Expr *part) { collectSureLoads(part, loads); });
}

struct Touch {
  const Expr *slot = nullptr;
  llvm::ArrayRef<Range> ranges;
  bool isSure = true;
};

class OwnReadRun {
public:
  OwnReadRun(const StmtPlaces &places, const Stmt &stmt, const Buffer &buffer)
      : buffer_(buffer), lanes_(places, &stmt) {}

  // Loops that can be run are, unless what is around is fixed.
  OwnReads run(Context &context, const Stmt &stmt, bool fixes) {
    if (!lanes_.launch() || !collect(context, stmt))
      return OwnReads::Unknown;
    if (fixes)
      lanes_.fixAround(&stmt);
    for (const Touch &touch : touches_)
      lanes_.need(touch.ranges);
    bool isKnown = lanes_.run([&](const Lanes &active) { return visit(active); });
    if (meets_ && lanes_.isExact())
      return OwnReads::Meet;
    return isKnown && !mayMeet_ ? OwnReads::Apart : OwnReads::Unknown;
  }

private:
  // The first touch is the write. False if there is another.
  bool collect(Context &context, const Stmt &stmt) {
    llvm::SmallPtrSet<const Expr *, 8> sure;
    forEachExpr(&stmt, [&](const Expr *expr) { collectSureLoads(expr, sure); });
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    bool isPredicated = op && predicateOf(*op);
    for (const BufferAccess &access : accessesOf(context, &stmt)) {
      if (access.buffer != buffer_.id)
        continue;
      bool isSure = !isPredicated && (op || isAmong(sure, access));
      Touch touch{access.slot, access.ranges, isSure};
      if (access.effect == Effect::Read)
        touches_.push_back(touch);
      else if (std::exchange(hasWrite_, true))
        return false;
      else
        touches_.insert(touches_.begin(), touch);
    }
    const auto *store = llvm::dyn_cast<Store>(&stmt);
    isCopy_ = touches_.size() == 2 && (op || (store && llvm::isa<Load>(store->value)));
    return hasWrite_;
  }

  static bool isAmong(const llvm::SmallPtrSetImpl<const Expr *> &loads,
                      const BufferAccess &access) {
    return llvm::any_of(loads, [&](const Expr *expr) {
      const auto *load = llvm::cast<Load>(expr);
      return load->buffer == access.buffer && load->indices.size() == access.ranges.size() &&
             llvm::all_of(llvm::zip(load->indices, access.ranges),
                          [](auto pair) { return std::get<0>(pair) == std::get<1>(pair).min; });
    });
  }

  // One iteration: who writes each element, then who reads it.
  bool visit(const Lanes &active) {
    llvm::SmallVector<llvm::SmallVector<Lanes, 2>> firsts;
    llvm::SmallVector<OwnedAxis, 2> axes;
    for (const Touch &touch : touches_)
      if (!place(touch, active, firsts.emplace_back(), axes))
        return false;
    bool isExact = true;
    for (OwnedAxis &axis : axes) {
      widen(axis, OwnedAxis(axis));
      isExact &= axis.period == 0;
    }
    Writers writers;
    bool fits = true;
    auto isSilent = [&](int64_t lane) { return isCopy_ && readsItsOwn(firsts, axes, lane); };
    for (auto [touch, first] : llvm::zip_equal(touches_, firsts)) {
      bool isWrite = &touch == touches_.data();
      bool isCertain = isExact && touch.isSure && isSameExpr(touch.slot, touches_[0].slot);
      for (int64_t lane = 0; lane != lanes_.launch()->threads && fits; ++lane)
        if (laneOf(active, lane) != 0)
          fits = forEachPlace(touch, first, axes, lane, [&](int64_t at) {
            if (isWrite)
              return writers[at].push_back(lane);
            auto found = writers.find(at);
            bool meets = found != writers.end() &&
                         llvm::any_of(found->second, [&](int64_t by) { return by != lane; });
            mayMeet_ |= meets;
            meets_ |= meets && isCertain && llvm::any_of(found->second, [&](int64_t by) {
                        return by != lane && !isSilent(by);
                      });
          });
    }
    return fits;
  }

  // Writes what is there already.
  static bool readsItsOwn(llvm::ArrayRef<llvm::SmallVector<Lanes, 2>> firsts,
                          llvm::ArrayRef<OwnedAxis> axes, int64_t lane) {
    return llvm::all_of(llvm::zip_equal(firsts[0], firsts[1], axes), [&](auto places) {
      auto &[write, read, axis] = places;
      return placeIn(axis, laneOf(write, lane)) == placeIn(axis, laneOf(read, lane));
    });
  }

  // Of an element, by its number: several threads may write it.
  using Writers = llvm::DenseMap<int64_t, llvm::SmallVector<int64_t, 1>>;

  bool place(const Touch &touch, const Lanes &active, llvm::SmallVector<Lanes, 2> &first,
             llvm::SmallVector<OwnedAxis, 2> &axes) {
    bool isFirst = axes.empty();
    for (auto [at, range] : llvm::enumerate(touch.ranges)) {
      std::optional<int64_t> extent = constantValue(range.extent);
      LaneIndex index = lanes_.indexOf(range.min);
      std::optional<OwnedAxis> axis = extent ? axisOf(index, *extent, active) : std::nullopt;
      if (!axis)
        return false;
      if (isFirst)
        axes.push_back(*axis);
      else
        widen(axes[at], *axis);
      first.push_back(std::move(index.first));
    }
    return true;
  }

  // False if that takes too long.
  bool forEachPlace(const Touch &touch, llvm::ArrayRef<Lanes> first, llvm::ArrayRef<OwnedAxis> axes,
                    int64_t lane, llvm::function_ref<void(int64_t at)> visit) {
    llvm::SmallVector<int64_t> places = {0};
    for (auto [range, lanes, axis] : llvm::zip_equal(touch.ranges, first, axes)) {
      llvm::SmallVector<int64_t> inner;
      for (int64_t outer : places)
        for (int64_t step = 0; step != *constantValue(range.extent); ++step) {
          int64_t at = 0;
          if (__builtin_mul_overflow(outer, axis.extent, &at) || !lanes_.spend(32))
            return false;
          inner.push_back(at + placeIn(axis, laneOf(lanes, lane) + step));
        }
      places = std::move(inner);
    }
    for (int64_t at : places)
      visit(at);
    return true;
  }

  const Buffer &buffer_;
  LaneWalk lanes_;
  std::vector<Touch> touches_;
  bool hasWrite_ = false;
  bool isCopy_ = false; // of one element or run of the buffer to another
  bool meets_ = false;
  bool mayMeet_ = false;
};

} // namespace

OwnReads computeOwnReads(Context &context, const StmtPlaces &places, const Stmt &stmt,
                         const Buffer &buffer) {
  OwnReads found = OwnReadRun(places, stmt, buffer).run(context, stmt, false);
  if (found != OwnReads::Unknown)
    return found;
  return OwnReadRun(places, stmt, buffer).run(context, stmt, true);
}

} // namespace tilescope
