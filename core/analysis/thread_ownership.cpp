#include "core/analysis/thread_ownership.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

namespace tilescope {

namespace {

bool isPlainAccess(const Stmt &stmt, const BufferAccess &access) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  if (!op)
    return !llvm::isa<Parallel>(stmt);
  return scopeOf(*op) == OpScope::Thread && !access.isAtomic();
}

// What one thread of a role, or of the block, starts to write to a tensor.
bool isStoreOfOne(const Stmt &stmt, const BufferAccess &access, const Buffer &buffer) {
  return isForOne(stmt) && access.effect == Effect::Write && buffer.scope == Scope::Global;
}

// The first of the threads, which does what is done for all.
Lanes onlyFirst(const Lanes &active, int64_t threads) {
  Lanes first(static_cast<size_t>(threads), 0);
  for (size_t lane = 0; lane != first.size(); ++lane)
    if (laneOf(active, lane) != 0) {
      first[lane] = 1;
      break;
    }
  return first;
}

// No byte holds elements of two rows.
bool hasWholeRows(const Buffer &buffer, int64_t elementsPerByte) {
  std::optional<int64_t> columns = constantValue(buffer.shape.back());
  return buffer.shape.size() == 1 || (columns && *columns % elementsPerByte == 0);
}

// Enters what one statement touches.
class OwnerRun {
public:
  OwnerRun(LaneWalk &walk, const Buffer &buffer, const BufferAccess &access,
           int64_t elementsPerByte, bool isOfOne)
      : walk_(walk), buffer_(buffer), access_(access), elementsPerByte_(elementsPerByte),
        isOfOne_(isOfOne) {}

  std::shared_ptr<const ElementOwners> run() {
    owners_.threadVar = walk_.launch()->threadVar;
    for (const Range &range : access_.ranges) {
      std::optional<int64_t> extent = constantValue(range.extent);
      if (!extent || *extent < 1 || *extent > MaxOwnedElements)
        return nullptr;
      extents_.push_back(*extent);
    }
    if (!walk_.run([&](const Lanes &active) { return visit(active); }) || !enterAll())
      return nullptr;
    return std::make_shared<const ElementOwners>(std::move(owners_));
  }

private:
  // One iteration: the first coordinate along each axis, a lane.
  struct Visit {
    Lanes active;
    llvm::SmallVector<Lanes, 2> first;
  };

  bool visit(const Lanes &all) {
    const Lanes active = isOfOne_ ? onlyFirst(all, walk_.launch()->threads) : all;
    Visit made{active, {}};
    llvm::SmallVector<OwnedAxis, 2> axes;
    for (auto [range, extent] : llvm::zip_equal(access_.ranges, extents_)) {
      LaneIndex index = walk_.indexOf(range.min);
      std::optional<OwnedAxis> axis = axisOf(index, extent, active);
      if (!axis)
        return false;
      axes.push_back(*std::move(axis));
      made.first.push_back(std::move(index.first));
    }
    if (visits_.empty())
      owners_.axes = std::move(axes);
    else
      for (auto [axis, other] : llvm::zip_equal(owners_.axes, axes))
        widen(axis, other);
    visits_.push_back(std::move(made));
    return walk_.spend(8 * walk_.launch()->threads);
  }

  bool enterAll() {
    if (visits_.empty() || (buffer_.scope != Scope::Global && !staysInRows()) ||
        (elementsPerByte_ > 1 && !toBytes(owners_.axes.back())))
      return false;
    for (OwnedAxis &axis : owners_.axes)
      widen(axis, OwnedAxis(axis));
    if (!owners_.allocate())
      return false;
    bool isPlain = elementsPerByte_ == 1 && llvm::none_of(owners_.axes, [](const OwnedAxis &axis) {
                     return axis.period != 0;
                   });
    return isPlain ? enterRuns() : enterBoxes();
  }

  // Without periods an element is the sum of what its coordinates add.
  bool enterRuns() {
    std::vector<int64_t> offsets = {0};
    llvm::SmallVector<int64_t, 2> strides(owners_.axes.size(), 1);
    for (size_t axis = owners_.axes.size(); axis-- != 0;) {
      if (axis + 1 != owners_.axes.size())
        strides[axis] = strides[axis + 1] * owners_.axes[axis + 1].extent;
      std::vector<int64_t> inner = std::move(offsets);
      offsets.clear();
      for (int64_t step = 0; step != extents_[axis]; ++step)
        for (int64_t offset : inner)
          offsets.push_back(offset + step * strides[axis]);
    }
    return llvm::all_of(visits_, [&](const Visit &visit) {
      return enterVisit(visit, strides, offsets) &&
             walk_.spend(walk_.launch()->threads * static_cast<int64_t>(offsets.size()));
    });
  }

  bool enterVisit(const Visit &visit, llvm::ArrayRef<int64_t> strides,
                  llvm::ArrayRef<int64_t> offsets) {
    for (int64_t lane = 0; lane != walk_.launch()->threads; ++lane) {
      if (laneOf(visit.active, lane) == 0)
        continue;
      int64_t first = 0;
      for (auto [axis, lanes, stride] : llvm::zip_equal(owners_.axes, visit.first, strides))
        first += (laneOf(lanes, lane) - axis.begin) * stride;
      for (int64_t offset : offsets)
        if (!enter(first + offset, lane))
          return false;
    }
    return true;
  }

  bool enter(int64_t at, int64_t lane) {
    int32_t &owner = owners_.threads[at];
    bool isFree = owner == -1 || owner == lane;
    owner = static_cast<int32_t>(lane);
    return isFree;
  }

  bool enterBoxes() {
    for (const Visit &visit : visits_)
      for (int64_t lane = 0; lane != walk_.launch()->threads; ++lane)
        if (laneOf(visit.active, lane) != 0 && !enterBox(visit, lane, 0, 0))
          return false;
    return true;
  }

  // The last axis counts bytes; half a byte is no period.
  bool toBytes(OwnedAxis &axis) const {
    int64_t period = std::gcd(axis.period, periodOf(axis.fixed));
    int64_t last = axis.begin + axis.extent - 1;
    if (period % elementsPerByte_ != 0)
      return false;
    axis.period /= elementsPerByte_;
    for (FixedTerm &term : axis.fixed)
      term.coefficient /= elementsPerByte_;
    axis.begin = byteOf(axis.begin);
    axis.extent = byteOf(last) - axis.begin + 1;
    return true;
  }

  int64_t byteOf(int64_t element) const {
    return element >= 0 ? element / elementsPerByte_ : (element + 1) / elementsPerByte_ - 1;
  }

  // The elements of one thread from `axis` inwards; `at`: the number of what lies outside.
  bool enterBox(const Visit &visit, int64_t lane, size_t axis, int64_t at) {
    if (axis == owners_.axes.size())
      return enter(at, lane) && walk_.spend(1);
    const OwnedAxis &owned = owners_.axes[axis];
    bool isLast = axis + 1 == owners_.axes.size();
    int64_t first = laneOf(visit.first[axis], lane);
    for (int64_t step = 0; step != extents_[axis]; ++step) {
      int64_t coordinate = isLast ? byteOf(first + step) : first + step;
      if (!enterBox(visit, lane, axis + 1, at * owned.extent + placeIn(owned, coordinate)))
        return false;
    }
    return true;
  }

  // Past the end of a row of shared memory lies the next one.
  bool staysInRows() const {
    for (size_t axis = 1; axis < owners_.axes.size(); ++axis) {
      const OwnedAxis &owned = owners_.axes[axis];
      std::optional<int64_t> extent = constantValue(buffer_.shape[axis]);
      bool isKnown = extent && owned.period == 0 && owned.fixed.empty();
      if (isKnown && (owned.begin < 0 || owned.begin + owned.extent > *extent))
        return false;
    }
    return true;
  }

  LaneWalk &walk_;
  const Buffer &buffer_;
  const BufferAccess &access_;
  int64_t elementsPerByte_;
  bool isOfOne_; // one thread does it for all
  ElementOwners owners_;
  llvm::SmallVector<int64_t, 2> extents_;
  std::vector<Visit> visits_;
};

} // namespace

ThreadOwnership::ThreadOwnership(Context &context, const Function &function)
    : context_(context), function_(function), places_(computeStmtPlaces(context, function)) {}

std::shared_ptr<const ElementOwners> ThreadOwnership::ownersOf(const Stmt &stmt,
                                                               const BufferAccess &access,
                                                               int64_t elementsPerByte) const {
  const Buffer &buffer = function_.buffer(access.buffer);
  LaneWalk walk(places_, &stmt);
  bool isOfOne = isStoreOfOne(stmt, access, buffer);
  if (!walk.launch() || !(isOfOne || isPlainAccess(stmt, access)) || access.ranges.empty())
    return nullptr;
  if (elementsPerByte > 1 && !hasWholeRows(buffer, elementsPerByte))
    return nullptr;
  if (const Expr *predicate = accessPredicate(stmt, buffer, access.effect))
    walk.addCondition(predicate);
  walk.need(access.ranges);
  auto run = [&] { return OwnerRun(walk, buffer, access, elementsPerByte, isOfOne).run(); };
  // Most passes leave most statements, and what is around them, as they are.
  std::optional<std::vector<CacheKeyPart>> key = walk.key();
  if (!key)
    return run();
  llvm::append_values(*key, &stmt, buffer.shape.data(), static_cast<uint64_t>(elementsPerByte));
  for (const Range &range : access.ranges)
    llvm::append_values(*key, range.min,
                        static_cast<uint64_t>(constantValue(range.extent).value_or(0)));
  return context_.cached<std::shared_ptr<const ElementOwners>>(*key, run);
}

bool ThreadOwnership::touchesWrittenGlobal(const Stmt &stmt) const {
  bool touches = false;
  auto add = [&](BufferId buffer) {
    touches |= places_.isWritten(buffer) && places_.isGlobal(buffer);
  };
  if (const auto *store = llvm::dyn_cast<Store>(&stmt))
    add(store->buffer);
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
    for (const BufferRegion &region : op->regions)
      add(region.buffer);
  forEachExpr(&stmt, [&](const Expr *root) {
    walk(root, [&](const Expr *part) {
      if (const auto *load = llvm::dyn_cast<Load>(part))
        add(load->buffer);
    });
  });
  return touches;
}

llvm::DenseSet<uint32_t> ThreadOwnership::globalsOfSeveralThreads() const {
  struct Use {
    bool hasAtomic = false;
    bool hasPlain = false;
    bool isShown = true; // of those that are not atomic
    std::optional<ElementOwners> owners;
  };
  std::map<uint32_t, Use> uses;
  walk(function_.body, [&](const Stmt *stmt) {
    if (!touchesWrittenGlobal(*stmt))
      return true;
    for (const BufferAccess &access : accessesOf(context_, stmt)) {
      if (!places_.isGlobal(access.buffer) || !places_.isWritten(access.buffer))
        continue;
      Use &use = uses[access.buffer.value];
      (access.isAtomic() ? use.hasAtomic : use.hasPlain) = true;
      if (use.hasAtomic || !use.isShown)
        continue;
      int bits = function_.buffer(access.buffer).dtype.bits;
      // What goes on by itself is followed, whoever starts it.
      std::shared_ptr<const ElementOwners> own;
      if (!isForOne(*stmt))
        own = ownersOf(*stmt, access, std::max(8 / bits, 1));
      use.isShown = own && (!use.owners || use.owners->merge(*own));
      if (use.isShown && !use.owners)
        use.owners = *own;
    }
    return true;
  });
  llvm::DenseSet<uint32_t> found;
  for (const auto &[buffer, use] : uses)
    if (use.hasPlain && (use.hasAtomic || !use.isShown))
      found.insert(buffer);
  return found;
}

} // namespace tilescope
