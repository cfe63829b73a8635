#include "core/analysis/thread_ownership.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MaxElements = 1 << 18;

bool isPlainAccess(const Stmt &stmt, const BufferAccess &access) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  if (!op)
    return !llvm::isa<Parallel>(stmt);
  if (op->op == Op::AtomicAddElement)
    return access.effect == Effect::Read;
  return op->op == Op::VectorCopy;
}

// Offsets of the elements of a box from its first; nullopt if they are too many or unknown.
std::optional<std::vector<int64_t>> offsetsInBox(const Buffer &buffer,
                                                 llvm::ArrayRef<Range> ranges) {
  std::vector<int64_t> offsets = {0};
  int64_t stride = 1;
  for (size_t axis = ranges.size(); axis-- != 0;) {
    std::optional<int64_t> extent = constantValue(ranges[axis].extent);
    if (!extent || *extent < 1 || *extent > MaxElements / static_cast<int64_t>(offsets.size()))
      return std::nullopt;
    std::vector<int64_t> inner = std::move(offsets);
    offsets.clear();
    for (int64_t step = 0; step != *extent; ++step)
      for (int64_t offset : inner)
        offsets.push_back(offset + step * stride);
    // The outermost extent is not needed. `placeOf` has seen that the others are constant.
    stride *= axis == 0 ? 1 : *constantValue(buffer.shape[axis]);
  }
  return offsets;
}

// Enters what one statement touches.
class OwnerRun {
public:
  OwnerRun(LaneWalk &walk, const Buffer &buffer, const BufferAccess &access,
           int64_t elementsPerByte)
      : walk_(walk), buffer_(buffer), access_(access), elementsPerByte_(elementsPerByte) {}

  std::optional<ElementOwners> run() {
    owners_.threadVar = walk_.launch()->threadVar;
    walk_.need(access_.ranges);
    if (!walk_.run([&](const Lanes &active) { return enter(active); }))
      return std::nullopt;
    return std::move(owners_);
  }

private:
  bool enter(const Lanes &active) {
    std::optional<LanePlace> place = walk_.placeOf(buffer_, access_.ranges);
    if (!place || !fixPeriod(place->period))
      return false;
    if (!offsets_)
      offsets_ = offsetsInBox(buffer_, access_.ranges);
    if (!offsets_)
      return false;
    for (int64_t lane = 0; lane != walk_.launch()->threads; ++lane) {
      if (laneOf(active, lane) == 0)
        continue;
      if (!walk_.spend(static_cast<int64_t>(offsets_->size())))
        return false;
      for (int64_t offset : *offsets_)
        if (!enter(laneOf(place->first, lane) + offset, lane))
          return false;
    }
    return true;
  }

  // The same in every iteration; half a byte is no period.
  bool fixPeriod(int64_t elements) {
    if (elements > MaxElements || elements % elementsPerByte_ != 0)
      return false;
    int64_t period = elements / elementsPerByte_;
    bool fits = owners_.threads.empty() || owners_.period == period;
    owners_.period = period;
    owners_.threads.resize(std::max<size_t>(owners_.threads.size(), period), -1);
    return fits;
  }

  bool enter(int64_t element, int64_t lane) {
    int64_t at = element >= 0 ? element / elementsPerByte_ : (element + 1) / elementsPerByte_ - 1;
    if (owners_.period != 0)
      at = (at % owners_.period + owners_.period) % owners_.period;
    if (at < 0 || at >= MaxElements)
      return false;
    if (static_cast<size_t>(at) >= owners_.threads.size())
      owners_.threads.resize(at + 1, -1);
    int32_t &owner = owners_.threads[at];
    bool isFree = owner == -1 || owner == lane;
    owner = static_cast<int32_t>(lane);
    return isFree;
  }

  LaneWalk &walk_;
  const Buffer &buffer_;
  const BufferAccess &access_;
  int64_t elementsPerByte_;
  ElementOwners owners_;
  std::optional<std::vector<int64_t>> offsets_;
};

} // namespace

bool ElementOwners::merge(const ElementOwners &other) {
  if (threadVar != other.threadVar || period != other.period)
    return false;
  if (threads.size() < other.threads.size())
    threads.resize(other.threads.size(), -1);
  for (auto [mine, theirs] : llvm::zip(threads, other.threads)) {
    if (mine != -1 && theirs != -1 && mine != theirs)
      return false;
    mine = std::max(mine, theirs);
  }
  return true;
}

ThreadOwnership::ThreadOwnership(const Function &function)
    : function_(function), places_(function) {}

std::optional<ElementOwners> ThreadOwnership::ownersOf(const Stmt &stmt, const BufferAccess &access,
                                                       int64_t elementsPerByte) const {
  LaneWalk walk(places_, &stmt);
  if (!walk.launch() || !isPlainAccess(stmt, access))
    return std::nullopt;
  return OwnerRun(walk, function_.buffer(access.buffer), access, elementsPerByte).run();
}

uint32_t OwnerTokens::tokenOf(BufferId buffer, const ElementOwners &owners) {
  for (auto [index, known] : llvm::enumerate(known_)) {
    if (known.first != buffer)
      continue;
    ElementOwners both = known.second;
    if (!both.merge(owners))
      continue;
    known.second = std::move(both);
    return static_cast<uint32_t>(index + 1);
  }
  known_.push_back({buffer, owners});
  return static_cast<uint32_t>(known_.size());
}

} // namespace tilescope
