#include "core/analysis/write_agreement.h"

#include "core/analysis/element_owners.h"
#include "core/analysis/lane_values.h"
#include "core/analysis/thread_numbers.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

// A statement that writes the buffer, and what it writes: an expression or elements of memory.
struct Writer {
  const Stmt *stmt = nullptr;
  const Expr *slot = nullptr;
  llvm::ArrayRef<Range> ranges;
  const Expr *value = nullptr;
  const BufferRegion *source = nullptr;
  const Expr *predicate = nullptr;
};

// One iteration of the loops around one writer.
struct Visit {
  size_t writer = 0;
  Lanes active;
  llvm::SmallVector<Lanes, 2> first; // of the box that a lane writes, per axis
  LaneValue value;
};

// Of one thread to one element.
struct LastWrite {
  const Visit *visit = nullptr;
  int64_t offset = 0;   // in the box
  bool isMixed = false; // it may be another, with another value
};

class AgreementRun {
public:
  AgreementRun(const StmtPlaces &places, StmtList stmts, const Buffer &buffer)
      : places_(places), stmts_(stmts), buffer_(buffer) {}

  WriteAgreement run(Context &context) {
    for (const Stmt *root : stmts_)
      walk(root, [&](const Stmt *stmt) {
        collect(context, *stmt);
        return true;
      });
    for (size_t writer = 0; writer != writers_.size(); ++writer)
      if (!runWriter(writer))
        return WriteAgreement::OtherElement;
    if (hasOthers_ || !enterAll())
      return WriteAgreement::OtherElement;
    WriteAgreement result = compareLanes();
    if (result != WriteAgreement::OtherValue || !signByNumbers())
      return result;
    writes_.clear();
    enterAll();
    return compareLanes();
  }

private:
  void collect(Context &context, const Stmt &stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(&stmt))
      loopsInside_.push_back(loop);
    for (const BufferAccess &access : accessesOf(context, &stmt)) {
      if (access.effect == Effect::Read)
        continue;
      written_.insert(access.buffer.value);
      if (access.buffer != buffer_.id)
        continue;
      Writer writer{&stmt, access.slot, access.ranges, nullptr, nullptr, nullptr};
      const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
      if (const auto *store = llvm::dyn_cast<Store>(&stmt)) {
        writer.value = store->value;
      } else if (op && op->opInfo().work == OpWork::Move && scopeOf(*op) == OpScope::Thread) {
        writer.source = &op->regions[0];
        writer.predicate = predicateOf(*op);
      } else {
        hasOthers_ = true;
        continue;
      }
      writers_.push_back(writer);
    }
  }

  // False if too little is known of where it writes.
  bool runWriter(size_t index) {
    const Writer &writer = writers_[index];
    LaneWalk lanes(places_, writer.stmt);
    if (!lanes.launch() || writer.ranges.empty())
      return false;
    launch_ = lanes.launch();
    threads_ = launch_->threads;
    lanes.fixAround(stmts_);
    if (const Expr *predicate = accessPredicate(*writer.stmt, buffer_, Effect::Write))
      lanes.addCondition(predicate);
    lanes.need(writer.ranges);
    for (const Expr *expr : {writer.slot, writer.value, writer.predicate})
      if (expr)
        lanes.need(expr);
    if (writer.source)
      lanes.need(writer.source->ranges);
    for (const For *loop : loopsInside_)
      lanes.need(loop->var);
    bool isKnown = lanes.run([&](const Lanes &active) { return visit(lanes, index, active); });
    isExact_ = isExact_ && lanes.isExact();
    knowsAll_ = knowsAll_ && lanes.knowsAll();
    return isKnown;
  }

  bool visit(LaneWalk &lanes, size_t index, const Lanes &active) {
    const Writer &writer = writers_[index];
    Visit made;
    made.writer = index;
    made.active = active;
    llvm::SmallVector<OwnedAxis, 2> axes;
    for (const Range &range : writer.ranges) {
      std::optional<int64_t> extent = constantValue(range.extent);
      LaneIndex place = lanes.indexOf(range.min);
      std::optional<OwnedAxis> axis = extent ? axisOf(place, *extent, active) : std::nullopt;
      if (!axis)
        return false;
      axes.push_back(*std::move(axis));
      made.first.push_back(std::move(place.first));
    }
    if (axes_.empty())
      axes_ = axes;
    for (auto [axis, other] : llvm::zip_equal(axes_, axes))
      widen(axis, other);
    auto iteration = static_cast<int64_t>(visits_.size());
    LaneValues values(places_, lanes, written_);
    made.value = writer.value ? values.valueOf(writer.value, iteration)
                              : values.valueOf(*writer.source, writer.predicate, iteration);
    visits_.push_back(std::move(made));
    return lanes.spend(8 * threads_);
  }

  // Values of one iteration are compared by what threads computed before. False: nothing new.
  bool signByNumbers() {
    std::map<size_t, Lanes> numbers; // by writer
    bool isNew = false;
    for (auto [iteration, visit] : llvm::enumerate(visits_)) {
      const Writer &writer = writers_[visit.writer];
      if (!visit.value.isOwn || !writer.value)
        continue;
      auto [found, isFirst] = numbers.try_emplace(visit.writer);
      if (isFirst)
        found->second = ThreadNumbers(places_, *launch_, writer.stmt, writer.value).take();
      if (found->second.empty())
        continue;
      visit.value.signature = {found->second, {static_cast<int64_t>(iteration)}};
      isNew = true;
    }
    return isNew;
  }

  // False if there are too many elements.
  bool enterAll() {
    int64_t elements = 1;
    for (OwnedAxis &axis : axes_) {
      widen(axis, OwnedAxis(axis));
      isExact_ = isExact_ && axis.period == 0;
      if (__builtin_mul_overflow(elements, axis.extent, &elements))
        return false;
    }
    for (const Writer &writer : writers_)
      isExact_ = isExact_ && isSameExpr(writer.slot, writers_.front().slot);
    int64_t budget = 1 << 17;
    for (const Visit &visit : visits_)
      for (int64_t lane = 0; lane != threads_; ++lane)
        if (laneOf(visit.active, lane) != 0 && !enterBox(visit, lane, 0, 0, 0, budget))
          return false;
    return true;
  }

  bool enterBox(const Visit &visit, int64_t lane, size_t axis, int64_t at, int64_t offset,
                int64_t &budget) {
    if (axis == axes_.size()) {
      enter(visit, lane, at, offset);
      return --budget > 0;
    }
    int64_t extent = *constantValue(writers_[visit.writer].ranges[axis].extent);
    for (int64_t step = 0; step != extent; ++step) {
      int64_t place = placeIn(axes_[axis], laneOf(visit.first[axis], lane) + step);
      if (!enterBox(visit, lane, axis + 1, at * axes_[axis].extent + place, offset * extent + step,
                    budget))
        return false;
    }
    return true;
  }

  // What a thread wrote before is gone, if it surely was the same element.
  void enter(const Visit &visit, int64_t lane, int64_t at, int64_t offset) {
    auto [found, isNew] = writes_.try_emplace({at, lane}, LastWrite{&visit, offset, false});
    LastWrite &last = found->second, next{&visit, offset, found->second.isMixed};
    bool replaces = isExact_ && knowsAll_ && last.visit->writer == visit.writer;
    if (!isNew && !replaces)
      last.isMixed |= !isSameValue(last, lane, next, lane);
    else
      last = next;
  }

  WriteAgreement compareLanes() const {
    WriteAgreement result = WriteAgreement::Agrees;
    auto first = writes_.begin();
    for (auto other = writes_.begin(); other != writes_.end(); ++other) {
      if (other->first.first != first->first.first)
        first = other;
      if (first == other)
        continue;
      const LastWrite &one = first->second, &two = other->second;
      int64_t lane = first->first.second, otherLane = other->first.second;
      bool isMixed = one.isMixed || two.isMixed;
      if (!isMixed && isSameValue(one, lane, two, otherLane))
        continue;
      if (!isMixed && isOtherValue(one, lane, two, otherLane))
        return WriteAgreement::Differs;
      result = isExact_ ? WriteAgreement::OtherValue : WriteAgreement::OtherElement;
    }
    return result;
  }

  static bool agree(llvm::ArrayRef<Lanes> a, int64_t lane, llvm::ArrayRef<Lanes> b, int64_t other) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
             return laneOf(std::get<0>(pair), lane) == laneOf(std::get<1>(pair), other);
           });
  }

  bool isSameValue(const LastWrite &one, int64_t lane, const LastWrite &two,
                   int64_t otherLane) const {
    const LaneValue &first = one.visit->value, &second = two.visit->value;
    bool areExact =
        !first.exact.empty() && !second.exact.empty() && !first.isArgument && !second.isArgument;
    if (areExact)
      return agree(first.exact, lane, second.exact, otherLane);
    const Expr *value = writers_[one.visit->writer].value;
    const Expr *other = writers_[two.visit->writer].value;
    bool isSameText =
        one.visit->writer == two.visit->writer || (value && other && isSameExpr(value, other));
    return isSameText && one.offset == two.offset &&
           agree(first.signature, lane, second.signature, otherLane);
  }

  bool isOtherValue(const LastWrite &one, int64_t lane, const LastWrite &two,
                    int64_t otherLane) const {
    const LaneValue &first = one.visit->value, &second = two.visit->value;
    bool isComparable = one.visit == two.visit || !(first.hasFixed || second.hasFixed);
    return isExact_ && one.visit->writer == two.visit->writer && isComparable &&
           !first.exact.empty() && !second.exact.empty() &&
           !agree(first.exact, lane, second.exact, otherLane);
  }

  const StmtPlaces &places_;
  StmtList stmts_;
  const Buffer &buffer_;
  const Launch *launch_ = nullptr;
  int64_t threads_ = 0;
  std::vector<Writer> writers_;
  bool hasOthers_ = false; // that are neither stores nor copies
  llvm::SmallVector<const For *> loopsInside_;
  llvm::DenseSet<uint32_t> written_;
  llvm::SmallVector<OwnedAxis, 2> axes_;
  std::vector<Visit> visits_;
  bool isExact_ = true;  // who writes which element is known, up to what all agree on
  bool knowsAll_ = true; // and nothing is unknown that all agree on
  std::map<std::pair<int64_t, int64_t>, LastWrite> writes_; // by element and lane
};

} // namespace

WriteAgreement computeWriteAgreement(Context &context, const StmtPlaces &places, StmtList stmts,
                                     const Buffer &buffer) {
  return AgreementRun(places, stmts, buffer).run(context);
}

} // namespace tilescope
