#include "core/analysis/lane_frame.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr int64_t MaxFrameLanes = 1 << 16;

Lanes countUp(int64_t count) {
  Lanes values(static_cast<size_t>(count));
  for (size_t lane = 0; lane != values.size(); ++lane)
    values[lane] = static_cast<int64_t>(lane);
  return values;
}

} // namespace

void LaneFrame::enterLaunch(const Launch &launch) {
  threads_ = launch.threads;
  lanes_.bind(launch.threadVar, countUp(threads_));
  active_ = {1};
}

void LaneFrame::enterNest(const Parallel &nest) {
  nest_ = &nest;
  isToldApart_ = false;
  nestExtents_.clear();
  int64_t lanes = 1;
  for (const Expr *expr : nest.extents) {
    Lanes extent = evaluate(expr);
    bool isSmall = extent.size() == 1 && extent[0] > 0 && extent[0] <= MaxFrameLanes / lanes;
    if (!isSmall) {
      nestExtents_.clear();
      break;
    }
    lanes *= extent[0];
    nestExtents_.push_back(extent[0]);
  }
  variablesOutside_ = lanes_.hideLanes();
  activeOutside_ = std::exchange(active_, Lanes{1});
}

void LaneFrame::leaveNest() {
  lanes_.restore(std::move(variablesOutside_));
  active_ = std::move(activeOutside_);
  nest_ = nullptr;
}

void LaneFrame::tellIterationsApart() {
  if (!nest_ || isToldApart_ || nestExtents_.empty())
    return;
  isToldApart_ = true;
  int64_t lanes = 1;
  for (int64_t extent : nestExtents_)
    lanes *= extent;
  int64_t inner = 1;
  for (size_t axis = nestExtents_.size(); axis-- != 0; inner *= nestExtents_[axis]) {
    Lanes values = countUp(lanes);
    for (int64_t &value : values)
      value = value / inner % nestExtents_[axis];
    lanes_.bind(nest_->vars[axis], std::move(values));
  }
}

Lanes LaneFrame::evaluate(const Expr *expr) {
  if (std::optional<int64_t> value = constantValue(expr))
    return {*value};
  tellIterationsApart();
  return lanes_.evaluate(expr);
}

Lanes LaneFrame::activeWhere(const Lanes &values,
                             llvm::function_ref<bool(int64_t value)> isActive) {
  Lanes active = values;
  for (int64_t &value : active)
    value = isActive(value);
  return lanes_.combine(BinaryOp::And, active_, active);
}

Lanes LaneFrame::activeUnder(const Expr *condition, bool holds) {
  return activeWhere(evaluate(condition), [&](int64_t value) { return (value != 0) == holds; });
}

ElementBoxes LaneFrame::boxesOf(llvm::ArrayRef<int64_t> shape, bool hasThreadAxis,
                                llvm::ArrayRef<Range> ranges) {
  ElementBoxes boxes;
  if (hasThreadAxis && nest_) {
    boxes.first.push_back({0});
    boxes.extents.push_back(threads_);
    boxes.isExact = false; // who runs which iteration is not decided
  } else if (hasThreadAxis) {
    boxes.first.push_back(countUp(threads_));
    boxes.extents.push_back(1);
  }
  if (addWholeAxes(boxes, ranges))
    return boxes;
  for (auto [extent, range] : llvm::zip(shape.drop_front(hasThreadAxis), ranges))
    addAxis(boxes, extent, range);
  return boxes;
}

// Where each axis is one of the nest's variables, each of which runs over the whole of it, or the
// same for all iterations: one box is what all of them name.
bool LaneFrame::addWholeAxes(ElementBoxes &boxes, llvm::ArrayRef<Range> ranges) {
  if (!nest_ || nestExtents_.empty() || active_.size() != 1)
    return false;
  size_t axes = boxes.first.size();
  llvm::SmallPtrSet<const Var *, 4> used;
  for (const Range &range : ranges) {
    const auto *var = llvm::dyn_cast<Var>(range.min);
    const auto *found = llvm::find(nest_->vars, var);
    std::optional<int64_t> extent = constantValue(range.extent);
    bool isWhole = var && extent == 1 && found != nest_->vars.end() && used.insert(var).second;
    Lanes first = isWhole ? Lanes{0} : lanes_.evaluate(range.min);
    if (first.size() != 1 || !extent) {
      boxes.first.resize(axes);
      boxes.extents.resize(axes);
      return false;
    }
    boxes.first.push_back(std::move(first));
    boxes.extents.push_back(isWhole ? nestExtents_[found - nest_->vars.begin()] : *extent);
  }
  return true;
}

void LaneFrame::addAxis(ElementBoxes &boxes, int64_t shape, const Range &range) {
  Lanes first = evaluate(range.min);
  Lanes extent = evaluate(range.extent);
  if (!first.empty() && extent.size() == 1) {
    boxes.first.push_back(std::move(first));
    boxes.extents.push_back(extent[0]);
    return;
  }
  boxes.isExact = false;
  AffineBounds lowest = facts_.affine().bounds(range.min);
  AffineBounds most = facts_.affine().bounds(range.extent);
  int64_t begin = std::clamp<int64_t>(lowest.lower.value_or(0), 0, shape);
  int64_t end = shape;
  if (lowest.upper && most.upper && *lowest.upper < shape && *most.upper < shape)
    end = std::clamp<int64_t>(*lowest.upper + *most.upper, begin, shape);
  boxes.first.push_back({begin});
  boxes.extents.push_back(end - begin);
}

void LaneFrame::forEachBox(
    const ElementBoxes &boxes, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> extents)>
        visit) {
  size_t lanes = 1;
  for (const Lanes &first : boxes.first)
    lanes = std::max(lanes, first.size());
  bool isOfSome = llvm::any_of(active_, [](int64_t value) { return value != 0; });
  bool needsLanes = lanes != 1 && active_.size() != 1;
  llvm::SmallVector<int64_t> begin(shape.size()), extents(shape.size());
  for (size_t lane = 0; lane != lanes && isOfSome; ++lane) {
    if (needsLanes && laneOf(active_, lane) == 0)
      continue;
    bool isEmpty = false;
    for (size_t axis = 0; axis != shape.size(); ++axis) {
      int64_t first = laneOf(boxes.first[axis], lane), extent = boxes.extents[axis];
      isEmpty |= extent <= 0 || first >= shape[axis] || first <= -extent;
      if (isEmpty)
        break;
      int64_t end = 0;
      bool isHuge = __builtin_add_overflow(first, extent, &end);
      begin[axis] = std::max<int64_t>(first, 0);
      extents[axis] = (isHuge ? shape[axis] : std::min(end, shape[axis])) - begin[axis];
    }
    lanes_.spend(static_cast<int64_t>(shape.size()));
    if (!isEmpty)
      visit(begin, extents);
  }
}

} // namespace tilescope
