// Small random AccessPrograms: nested loops, guards, branches, versions, asynchronous copies,
// through two queues in every third.
#pragma once

#include "tests/unit/access_programs.h"

#include <random>

namespace tilescope::test {

class RandomProgram {
public:
  // `copiesMuch`: every third statement is an asynchronous copy with its wait and a reader.
  explicit RandomProgram(unsigned seed, bool copiesMuch = false, int buffers = 4)
      : random_(seed), hasTwoQueues_(seed % 3 == 2), copiesMuch_(copiesMuch),
        bufferCount_(buffers) {}

  AccessProgram make() {
    for (int buffer = 0; buffer != bufferCount_; ++buffer)
      buffers_.push_back(b_.buffer(std::string(1, static_cast<char>('A' + buffer)), 1 + below(3)));
    std::vector<uint32_t> children;
    for (int count = 2 + below(bufferCount_); count-- > 0;)
      addStatement(children, 0);
    return b_.finish(children);
  }

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool oneIn(int chance) { return below(chance) == 0; }
  uint32_t queue() { return hasTwoQueues_ ? static_cast<uint32_t>(below(2)) : CopyQueue; }

  Access randomAccess() {
    BufferId buffer = buffers_[below(static_cast<int>(buffers_.size()))];
    int64_t versions = b_.program.buffers[buffer.value].versions;
    Slot slot = at(below(static_cast<int>(versions)));
    if (versions > 1 && !loops_.empty() && !oneIn(3))
      slot = inLoop(loops_[below(static_cast<int>(loops_.size()))], below(4), versions);
    else if (versions > 1 && oneIn(8))
      slot = anySlot();
    Access access = oneIn(2)   ? read(buffer, slot)
                    : oneIn(4) ? partial(buffer, slot)
                               : write(buffer, slot);
    return access;
  }

  uint32_t randomLeaf() {
    std::vector<Access> accesses = {randomAccess()};
    if (oneIn(3))
      accesses.push_back(randomAccess());
    return b_.leaf(accesses);
  }

  void addCopy(std::vector<uint32_t> &list) {
    Access access = randomAccess();
    Access source = read(access.buffer, access.slot);
    uint32_t through = queue();
    list.push_back(b_.leaf({async(write(access.buffer, access.slot), through)}));
    list.push_back(b_.commit(through));
    if (oneIn(2))
      list.push_back(randomLeaf());
    list.push_back(b_.wait(0, through));
    if (oneIn(2))
      list.push_back(b_.leaf({randomAccess(), source}));
    else
      list.push_back(b_.leaf({source}));
  }

  void addStatement(std::vector<uint32_t> &list, int depth) {
    if (copiesMuch_ && oneIn(3))
      return addCopy(list);
    int kind = below(10);
    if (kind == 0 && depth < 2) {
      std::vector<uint32_t> branches;
      for (int count = 1 + below(2); count-- > 0;)
        branches.push_back(block(depth + 1));
      list.push_back(b_.branch(branches));
    } else if (kind == 1 && depth < 2) {
      addLoop(list, depth);
    } else if (kind == 2) {
      list.push_back(b_.barrier());
    } else if (kind == 3) {
      Access access = randomAccess();
      list.push_back(b_.leaf({async(access, queue())}));
      if (!oneIn(4))
        list.push_back(b_.commit(queue()));
      if (!oneIn(3))
        list.push_back(b_.wait(below(3), queue()));
    } else if (kind == 4) {
      list.push_back(b_.wait(below(2), queue()));
    } else {
      list.push_back(randomLeaf());
    }
  }

  uint32_t block(int depth) {
    std::vector<uint32_t> children;
    for (int count = 1 + below(2); count-- > 0;)
      addStatement(children, depth);
    return b_.seq(children);
  }

  void addLoop(std::vector<uint32_t> &list, int depth) {
    StmtId loop = b_.stmt();
    if (oneIn(2))
      list.push_back(b_.guarded(loop, below(2), randomLeaf()));
    loops_.push_back(loop);
    std::vector<uint32_t> body;
    for (int count = 1 + below(3); count-- > 0;)
      if (oneIn(4))
        body.push_back(b_.guarded(loop, below(3), randomLeaf()));
      else
        addStatement(body, depth + 1);
    loops_.pop_back();
    int64_t minTrips = below(3);
    std::optional<int64_t> maxTrips;
    if (!oneIn(3))
      maxTrips = minTrips + below(3);
    list.push_back(b_.loop(loop, minTrips, maxTrips, body));
  }

  std::mt19937 random_;
  bool hasTwoQueues_;
  bool copiesMuch_;
  int bufferCount_;
  ProgramBuilder b_;
  std::vector<BufferId> buffers_;
  std::vector<StmtId> loops_;
};

} // namespace tilescope::test
