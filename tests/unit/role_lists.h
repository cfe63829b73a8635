// What the threads of each lane of a small AccessProgram do, leaf by leaf: loops and conditions are
// gone, slots, mbarriers and parities are numbers.
//
//   Leaf s1; Roles (Leaf s2 | Leaf s3); Leaf s4       events  0: s1   1: s2   2: s4   3: s3
//                                                     lists   0 1 2 | 0 3 2 | 0 2
//
// Threads of the block that are of no lane make what stands outside of the roles.
#pragma once

#include "core/access/access_program.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope::test {

struct RoleSlot {
  const Access *access = nullptr;
  size_t buffer = 0;
  int64_t slot = 0;
};
// One run of one leaf. What stands outside of the roles is one event of all lanes.
struct RoleEvent {
  uint32_t node = 0;
  size_t mbarrier = 0;
  int64_t parity = 0;
  size_t section = 0;   // how often roles began or ended before it
  size_t scope = 0;     // of those that the same threads make, between the same ends of roles
  size_t laneChild = 0; // inside: in which child of the lane
  bool isOutside = false;
  std::vector<RoleSlot> accesses;
};
struct RoleThread {
  size_t lane = 0;
  bool isElected = false;
};
// `choices` decides conditions, lengths and slots that are not known.
class RoleLists {
public:
  std::vector<RoleEvent> events;
  std::vector<std::vector<size_t>> lists; // per lane, and for the threads of none
  std::vector<RoleThread> threads;

  RoleLists(const AccessProgram &program, unsigned choices) : program_(program), choices_(choices) {
    auto roles = llvm::find_if(
        program.nodes, [](const AccessNode &node) { return node.kind == AccessNode::Kind::Roles; });
    std::vector<int64_t> counts = {program.threads};
    if (roles != program.nodes.end()) {
      counts = roles->laneThreads;
      int64_t rest = program.threads;
      for (int64_t count : counts)
        rest -= count;
      counts.push_back(std::max<int64_t>(rest, 0));
    }
    for (lane_ = 0; lane_ != counts.size(); ++lane_) {
      section_ = outside_ = 0;
      lists.emplace_back();
      list(program.root);
      for (int64_t thread = 0; thread != counts[lane_]; ++thread)
        threads.push_back({lane_, thread == 0});
    }
  }

private:
  int64_t valueOf(const LoopCounter &counter) {
    int64_t value = counter.offset;
    for (const LoopCounter::Term &term : counter.terms)
      value += term.step * k_[term.loop];
    return value;
  }

  int64_t tripsOf(const AccessNode &loop) const {
    int64_t more = loop.maxTrips.value_or(loop.minTrips + 1) - loop.minTrips;
    return loop.minTrips + (more > 0 ? choices_ % (more + 1) : 0);
  }

  void list(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::Roles)
      return listLane(node);
    if (isLeaf(node))
      return listLeaf(index);
    size_t first = node.kind == AccessNode::Kind::If && !isTaken(index) ? 1 : 0;
    size_t last = node.kind == AccessNode::Kind::If ? first + 1 : node.children.size();
    int64_t times = node.kind == AccessNode::Kind::Loop ? tripsOf(node) : 1;
    for (int64_t k = 0; k < times; ++k) {
      if (node.kind == AccessNode::Kind::Loop)
        k_[node.stmt] = k;
      for (size_t child = first; child < std::min(last, node.children.size()); ++child)
        list(node.children[child]);
    }
  }

  bool isTaken(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    if (node.rangeLoop.isValid())
      return node.rangeBegin <= k_[node.rangeLoop] && k_[node.rangeLoop] < node.rangeEnd;
    return choices_ >> (index % 16) & 1;
  }

  void listLane(const AccessNode &roles) {
    ++section_;
    if (lane_ < roles.children.size()) {
      const AccessNode &lane = program_.nodes[roles.children[lane_]];
      if (isLeaf(lane) || lane.kind != AccessNode::Kind::Seq)
        list(roles.children[lane_]);
      else
        for (laneChild_ = 0; laneChild_ != lane.children.size(); ++laneChild_)
          list(lane.children[laneChild_]);
    }
    ++section_;
  }

  void listLeaf(uint32_t index) {
    bool isOutside = section_ % 2 == 0;
    if (isOutside && lane_ != 0) {
      lists[lane_].push_back(outsides_[outside_++]);
      return;
    }
    const AccessNode &node = program_.nodes[index];
    RoleEvent event;
    event.node = index;
    event.section = section_;
    event.scope =
        scopes_.try_emplace({section_, isOutside ? 0 : lane_}, scopes_.size()).first->second;
    event.laneChild = laneChild_;
    event.isOutside = isOutside;
    const std::optional<MbarrierRef> &ref =
        node.accesses.empty() ? node.mbarrier : node.accesses[0].mbarrier;
    if (ref && ref->modulus > 0)
      event.mbarrier = ref->first + valueOf(ref->counter) % ref->modulus;
    if (node.parity.divisor > 0)
      event.parity = valueOf(node.parity.counter) / node.parity.divisor % 2;
    for (const Access &access : node.accesses)
      event.accesses.push_back({&access, *indexOf(program_, access.buffer), slotOf(access)});
    if (isOutside)
      outsides_.push_back(events.size());
    lists[lane_].push_back(events.size());
    events.push_back(std::move(event));
  }

  int64_t slotOf(const Access &access) {
    switch (access.slot.kind) {
    case Slot::Kind::Constant:
      return access.slot.offset;
    case Slot::Kind::Loop:
      return (k_[access.slot.loop] + access.slot.offset) % access.slot.modulus;
    case Slot::Kind::Dynamic:
      return choices_ %
             std::max<int64_t>(program_.buffers[*indexOf(program_, access.buffer)].versions, 1);
    }
    return 0;
  }

  const AccessProgram &program_;
  unsigned choices_;
  std::vector<size_t> outsides_; // events outside of the roles, in order
  std::map<std::pair<size_t, size_t>, size_t> scopes_;
  std::map<StmtId, int64_t> k_;
  size_t lane_ = 0, section_ = 0, outside_ = 0, laneChild_ = 0;
};

} // namespace tilescope::test
