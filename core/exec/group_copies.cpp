// The asynchronous copies of the threads of a group: begun, committed, waited for.
#include "core/exec/mbarriers.h"
#include "core/exec/numbers.h"
#include "core/exec/thread_group.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

// Until its bytes arrive a destination holds what nobody should see.
void ThreadGroup::startCopy(const LaneRegion &region, uint32_t lane, int64_t element, Number value,
                            BlockState *to) {
  BlockState &block = to ? *to : block_;
  Place place = placeOf(region, lane, element);
  DType dtype = place.buffer.dtype;
  std::optional<size_t> bit = block.shared.bitOf(place.buffer.id, place.slot, place.coordinates);
  if (!bit)
    return findOutside(place);
  UnitRange bytes = SharedMemory::bytesOf(*bit, dtype.bits);
  // A copy moves whole bytes: it began one with the first of the elements that share it.
  if (*bit % 8 == 0) {
    Shadow &shadow = block.shared.shadow();
    Actor actor = actorOf(lane, place.buffer.id);
    std::optional<Shadow::Conflict> unfenced;
    if (asyncSince_)
      unfenced = shadow.findUnfenced(bytes, actor, block_.fences);
    std::optional<Shadow::Conflict> conflict = shadow.beginCopy(bytes, actor);
    report(conflict ? conflict : unfenced, place);
  }
  if (block.steps)
    block.steps->touch(StepTouch::Kind::Copy, place.buffer.id, place.slot, bytes);
  block.shared.setBits(*bit, dtype.bits, UINT64_MAX);
  copies_[lane].open.push_back(
      {place.buffer.id, place.slot, *bit, dtype.bits, encode(dtype, value), stmt_});
}

// The elements are told apart from those of the thread's own group.
void startBox(ThreadGroup &group, const LaneRegion &source, const LaneRegion &destination,
              const LaneRegion &barrier, uint32_t lane, BlockState &to) {
  const Tensor &tensor = group.block_.launch.global.memory.tensors.at(source.buffer->id);
  const llvm::SaveAndRestore proxy(group.asyncSince_, std::optional(group.now_));
  std::vector<ThreadGroup::CopiedElement> open;
  std::swap(open, group.copies_[lane].open);
  for (int64_t element = 0; element != destination.size(); ++element) {
    bool isInside = tensor.indexOf(group.placeOf(source, lane, element).coordinates) >= 0;
    Number value = isInside ? group.load(source, lane, element) : Number{.i = 0};
    group.startCopy(destination, lane, element, value, &to);
  }
  std::swap(open, group.copies_[lane].open);
  auto arrive = [&block = to, elements = std::move(open)](const PhaseArrival &arrival,
                                                          const Moment &when) {
    for (const ThreadGroup::CopiedElement &element : elements) {
      UnitRange bytes = SharedMemory::bytesOf(element.bit, element.count);
      block.shared.setBits(element.bit, element.count, element.bits);
      block.shared.shadow().endCounted(bytes, arrival, when, block.block);
      if (block.steps)
        block.steps->touch(StepTouch::Kind::Arrival, element.buffer, element.slot, bytes);
    }
  };
  int64_t bytes = destination.buffer->dtype.bytes(destination.size());
  to.mbarriers.start(mbarrierOf(barrier, lane),
                     {group.stmt_, destination.buffer->id, bytes, arrive});
}

void ThreadGroup::commit(Lanes lanes) {
  for (uint32_t lane : lanes) {
    CopyGroups &groups = copies_[lane];
    groups.committed.push_back(std::move(groups.open));
    groups.open.clear();
    ++groups.count;
  }
}

void ThreadGroup::wait(Lanes lanes, int64_t pending) {
  auto isOther = [&](uint32_t lane) { return copies_[lane].count != copies_[lanes.front()].count; };
  // The newest ones, which are not waited for, are of other copies in each thread then.
  auto other = pending > 0 ? llvm::find_if(lanes, isOther) : lanes.end();
  if (other != lanes.end())
    find(FindingKind::MismatchedGroups, *other, "",
         llvm::formatv("{0} and {1}", copies_[lanes.front()].count, copies_[*other].count));
  for (uint32_t lane : lanes) {
    std::deque<std::vector<CopiedElement>> &groups = copies_[lane].committed;
    for (; static_cast<int64_t>(groups.size()) > pending; groups.pop_front())
      for (const CopiedElement &element : groups.front()) {
        block_.shared.setBits(element.bit, element.count, element.bits);
        Actor actor = actorOf(lane, element.buffer);
        actor.stmt = element.stmt;
        UnitRange bytes = SharedMemory::bytesOf(element.bit, element.count);
        block_.shared.shadow().endCopy(bytes, actor);
        if (block_.steps)
          block_.steps->touch(StepTouch::Kind::Arrival, element.buffer, element.slot, bytes);
      }
  }
}

void findCopiesInFlight(ThreadGroup &group) {
  auto report = [&](uint32_t lane, const std::vector<ThreadGroup::CopiedElement> &copies) {
    for (const ThreadGroup::CopiedElement &copy : copies) {
      group.setStatement(*copy.stmt);
      group.find(FindingKind::EndInFlight, lane, group.function().buffer(copy.buffer).name);
    }
  };
  for (uint32_t lane : group.all_) {
    for (const auto &copies : group.copies_[lane].committed)
      report(lane, copies);
    report(lane, group.copies_[lane].open);
  }
  group.block_.products.findLeft(group);
  group.block_.boxStores.findLeft(group);
  if (group.first_ == 0)
    group.block_.mbarriers.forEachLeft([&](const Mbarriers::Copy &copy) {
      group.setStatement(*copy.stmt);
      group.find(FindingKind::EndInFlight, 0, group.function().buffer(copy.destination).name);
    });
}

} // namespace tilescope
