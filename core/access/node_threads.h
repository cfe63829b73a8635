// Which threads make a node of an AccessProgram: a wait or a fence is one for those that make it.
//
//   Roles                     threads of        a wait there covers copies of
//   |- Wait                   the first lane    that lane
//   |- Seq
//   |  |- Wait, one thread    one of them       what is marked so, of that lane
//   |  `- If, divergent
//   |     `- Wait             some of them      what stands in that branch
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

class NodeThreads {
public:
  explicit NodeThreads(const AccessProgram &program);

  // Every thread that makes `other` makes `node`, wherever it comes to it.
  bool cover(const AccessProgram &program, uint32_t node, uint32_t other) const;
  // Barriers where threads meet that are always the same: each is seen by what those threads do
  // before and after it, in the place where it stands. `meeting` counts such places.
  std::optional<size_t> meetingOf(const AccessProgram &program, uint32_t barrier) const;
  size_t meetings() const { return meetings_.size(); }
  // All threads that make the node are some of those.
  bool isOfMeeting(size_t meeting, uint32_t node) const;
  bool isInRole(uint32_t node) const { return laneOf_[node] != NoLane; }
  // Every thread of the block comes to it.
  bool isOfAll(uint32_t node) const { return groupOf_[node] == 0; }

private:
  static constexpr uint32_t NoLane = 0;

  // Threads that come to the same place: all, those of a lane, those of a divergent branch.
  struct Group {
    uint32_t parent = 0;
    bool isChanging = false; // they are others each time
  };

  uint32_t addGroup(uint32_t parent, bool isChanging);
  void mark(const AccessProgram &program, uint32_t index, uint32_t group, bool isInLoop);

  std::vector<Group> groups_;      // the first: all threads
  std::vector<uint32_t> groupOf_;  // per node
  std::vector<uint32_t> laneOf_;   // per node: the group of its lane
  std::vector<uint32_t> meetings_; // groups in which a barrier stands whose threads are fixed
};

} // namespace tilescope
