// AccessPrograms with roles: a ring of copies in many shapes, faults planted in it, and small
// random programs whose roles hand bytes on through mbarriers.
#pragma once

#include "core/access/buffer_bytes.h"
#include "core/check/step_hazards.h"
#include "tests/unit/access_programs.h"

#include "llvm/ADT/STLExtras.h"

#include <random>

namespace tilescope::test {

inline StepHazards judge(const AccessProgram &program) {
  return judgeSteps(program, {}, followSteps(program));
}

// One lane loads a ring, the other reads it and then writes O over its bytes.
struct RingShape {
  int64_t slots = 2;
  int64_t trips = 5;
  int64_t loaders = 1; // threads
  int64_t readers = 2;
  int64_t bytes = 64;
  bool expectsFirst = true; // and arrives with that; else it arrives behind the copy
  bool isTailInLoop = false;
  bool loadsQuery = false; // Q, once, before the roles; it is waited for in the first iteration
  bool oneWaits = false;   // of the readers, who then meet
};

// K in slots of 64 bytes, then O over all of them.
inline std::vector<BufferBytes> sharedBytes(const AccessProgram &program) {
  int64_t slots = program.buffers[0].versions;
  return {{program.buffers[0].id, 0, 64, 64}, {program.buffers[1].id, 0, 64 * slots, 64 * slots}};
}

inline void addQuery(ProgramBuilder &b, StmtId loop, std::vector<uint32_t> &before,
                     std::vector<uint32_t> &reads) {
  BufferId q = b.buffer("Q");
  uint32_t arrived = b.mbarrier(1);
  before = {b.oneThread(b.expect({arrived}, 64)), b.oneThread(b.arrive({arrived})),
            b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), b.barrier()};
  uint32_t wait = b.branch({b.waitPhase({arrived}, {})});
  b.program.nodes[wait].rangeLoop = loop;
  b.program.nodes[wait].rangeEnd = 1;
  reads.push_back(wait);
  reads.push_back(b.leaf({test::read(q)}));
}

inline AccessProgram ring(const RingShape &shape) {
  ProgramBuilder b;
  int64_t slots = shape.slots;
  BufferId k = b.buffer("K", slots), o = b.buffer("O");
  for (int64_t slot = 0; slot != slots; ++slot)
    b.mbarrier(1);
  for (int64_t slot = 0; slot != slots; ++slot)
    b.mbarrier(shape.readers);
  b.program.threads = shape.loaders + shape.readers;
  StmtId load = b.stmt(), read = b.stmt();
  auto empty = static_cast<uint32_t>(slots);
  MbarrierRef full = ringOf(0, slots, load);
  uint32_t wait = b.waitPhase(ringOf(empty, slots, load), phaseOf(load, slots, slots));
  uint32_t expect = b.oneThread(b.expect(full, shape.bytes));
  uint32_t arrive = b.oneThread(b.arrive(full));
  uint32_t copy =
      b.oneThread(b.leaf({counted(write(k, inLoop(load, 0, slots)), full, shape.bytes)}));
  std::vector<uint32_t> loads = shape.expectsFirst
                                    ? std::vector<uint32_t>{wait, expect, arrive, copy}
                                    : std::vector<uint32_t>{wait, expect, copy, arrive};
  std::vector<uint32_t> all;
  std::vector<uint32_t> reads = {b.waitPhase(ringOf(0, slots, read), phaseOf(read, slots))};
  if (shape.oneWaits) {
    b.oneThread(reads[0]);
    reads.push_back(b.namedBarrier(1, shape.readers));
  }
  if (shape.loadsQuery)
    addQuery(b, read, all, reads);
  reads.push_back(b.leaf({test::read(k, inLoop(read, 0, slots))}));
  reads.push_back(b.arrive(ringOf(empty, slots, read)));
  uint32_t tail = b.leaf({write(o)});
  if (shape.isTailInLoop)
    reads.push_back(tail);
  std::vector<uint32_t> consumer = {b.loop(read, shape.trips, shape.trips, reads)};
  if (!shape.isTailInLoop)
    consumer.push_back(tail);
  uint32_t producer = b.seq({b.loop(load, shape.trips, shape.trips, loads)});
  all.push_back(b.lanes({producer, b.seq(consumer)}, {shape.loaders, shape.readers}));
  return b.finish(all);
}

inline RingShape randomShape(std::mt19937 &random) {
  RingShape shape;
  shape.slots = 1 + static_cast<int64_t>(random() % 2);
  shape.trips = 1 + static_cast<int64_t>(random() % 3);
  shape.loaders = 1 + static_cast<int64_t>(random() % 2);
  shape.readers = 1 + static_cast<int64_t>(random() % 2);
  shape.expectsFirst = random() % 2;
  shape.isTailInLoop = random() % 4 == 0;
  shape.loadsQuery = random() % 2;
  shape.oneWaits = random() % 4 == 0;
  return shape;
}

// Changes one thing that a node says.
inline void mutate(AccessProgram &program, std::mt19937 &random) {
  auto pick = [&](size_t count) { return static_cast<uint32_t>(random() % count); };
  AccessNode &node = program.nodes[pick(program.nodes.size())];
  switch (pick(9)) {
  case 0:
    if (!node.children.empty())
      node.children.erase(node.children.begin() + pick(node.children.size()));
    break;
  case 1:
    if (node.children.size() > 1 && node.kind == AccessNode::Kind::Seq)
      std::swap(node.children[pick(node.children.size())], node.children[0]);
    break;
  case 2:
    node.parity.counter.offset += 1;
    break;
  case 3:
    node.count = node.kind == AccessNode::Kind::Arrive ? 1 + pick(2) : 0;
    break;
  case 4:
    node.bytes = node.kind == AccessNode::Kind::Expect ? 32 << pick(3) : 0;
    break;
  case 5:
    program.mbarriers[pick(program.mbarriers.size())].arrivals = 1 + pick(3);
    break;
  case 6:
    node.oneThread = isLeaf(node) && pick(2) == 0;
    break;
  case 7:
    if (node.kind == AccessNode::Kind::Loop)
      node.minTrips = *(node.maxTrips = pick(5));
    break;
  default:
    if (node.mbarrier)
      node.mbarrier->counter.offset += 1;
  }
}

// Two or three lanes of one or two threads, in every eighth program one or none, and threads of no
// lane. Half of the programs hand over: one lane arrives when it is done, another waits for it. In
// every sixth is neither a role nor an mbarrier; in every third lanes only read.
class RandomRoles {
public:
  explicit RandomRoles(unsigned seed) : random_(seed) {}

  AccessProgram make() {
    for (int64_t count = 2 + below(2); count-- > 0;)
      buffers_.push_back(b_.buffer(std::string(1, static_cast<char>('A' + buffers_.size())),
                                   1 + (oneIn(3) ? 1 : 0)));
    isPlain_ = oneIn(6);
    for (int64_t count = isPlain_ ? 0 : 1 + below(2); count-- > 0;)
      b_.mbarrier(1);
    std::vector<int64_t> threads;
    for (int64_t lanes = isPlain_ ? 0 : oneIn(8) ? below(2) : oneIn(8) ? 3 : 2; lanes-- > 0;)
      threads.push_back(1 + below(2));
    b_.program.threads = oneIn(8) || threads.empty() ? 1 : 0;
    for (int64_t count : threads)
      b_.program.threads += count;
    laneThreads_ = b_.program.threads;
    std::vector<uint32_t> all = outside();
    if (!oneIn(6))
      all.push_back(b_.barrier());
    if (!threads.empty())
      all.push_back(lanes(threads));
    laneThreads_ = b_.program.threads;
    if (!oneIn(6))
      all.push_back(b_.barrier());
    llvm::append_range(all, outside());
    AccessProgram program = b_.finish(all);
    countArrivals(program);
    return program;
  }

private:
  int64_t below(unsigned limit) { return static_cast<int64_t>(random_() % limit); }
  bool oneIn(unsigned chance) { return random_() % chance == 0; }

  std::vector<uint32_t> outside() {
    std::vector<uint32_t> list;
    for (int64_t count = isPlain_ ? 1 + below(4) : below(3); count-- > 0;)
      addStatement(list, 0);
    return list;
  }

  uint32_t lanes(const std::vector<int64_t> &threads) {
    bool handsOver = !isPlain_ && oneIn(2);
    comesToBlockBarriers_ = oneIn(6);
    onlyReads_ = oneIn(3);
    std::vector<uint32_t> children;
    for (size_t lane = 0; lane != threads.size(); ++lane) {
      lane_ = static_cast<int64_t>(lane) + 1;
      laneThreads_ = threads[lane];
      std::vector<uint32_t> list;
      for (int64_t count = 1 + below(3); count-- > 0;)
        addStatement(list, 0);
      if (handsOver) {
        list.push_back(lane == 0 ? b_.arrive({0}) : b_.waitPhase({0}, {}));
        if (oneIn(5))
          b_.oneThread(list.back());
        if (oneIn(3))
          list.push_back(b_.namedBarrier(lane_, laneThreads_));
        if (lane != 0 || oneIn(5))
          list.push_back(leaf());
      }
      children.push_back(b_.seq(list));
    }
    lane_ = 0;
    return b_.lanes(children, threads);
  }

  Access access() {
    BufferId buffer = buffers_[below(static_cast<unsigned>(buffers_.size()))];
    int64_t versions = b_.program.buffers[buffer.value].versions;
    Slot slot = loop_ && versions > 1 ? inLoop(*loop_, below(2), versions)
                                      : at(below(static_cast<unsigned>(versions)));
    bool isRead = oneIn(2) || (onlyReads_ && lane_ != 0);
    return isRead ? read(buffer, slot) : oneIn(6) ? partial(buffer, slot) : write(buffer, slot);
  }

  uint32_t leaf() {
    uint32_t leaf = b_.leaf({access()});
    return oneIn(4) ? b_.oneThread(leaf) : leaf;
  }

  uint32_t anyMbarrier() {
    return static_cast<uint32_t>(below(static_cast<unsigned>(b_.program.mbarriers.size())));
  }

  // What an mbarrier counts, and often the wait for it.
  void addCopy(std::vector<uint32_t> &list) {
    uint32_t mbarrier = anyMbarrier();
    Access to = write(access().buffer);
    list.push_back(b_.oneThread(b_.expect({mbarrier}, 16)));
    list.push_back(b_.oneThread(b_.arrive({mbarrier})));
    list.push_back(b_.oneThread(b_.leaf({counted(to, {mbarrier}, 16)})));
    if (!oneIn(3))
      list.push_back(b_.waitPhase({mbarrier}, {}));
    if (oneIn(2))
      list.push_back(b_.leaf({read(to.buffer)}));
    if (oneIn(2))
      addUse(list);
  }

  void addUse(std::vector<uint32_t> &list) {
    list.push_back(leaf());
    const Access &first = b_.program.nodes[list.back()].accesses[0];
    if (first.kind == AccessKind::Write)
      list.push_back(b_.leaf({read(first.buffer, first.slot)}));
  }

  // Through a queue, by one thread or by all.
  void addAsync(std::vector<uint32_t> &list) {
    std::vector<uint32_t> steps = {b_.leaf({async(access(), 1)}), b_.commit(1), b_.wait(0, 1)};
    bool isByOne = oneIn(2);
    for (uint32_t step : steps)
      if (!oneIn(6))
        list.push_back(isByOne != oneIn(6) ? b_.oneThread(step) : step);
    if (oneIn(2))
      addUse(list);
  }

  void addStatement(std::vector<uint32_t> &list, int depth) {
    switch (isPlain_ ? 4 + 2 * below(8) : below(16)) {
    case 0:
      return list.push_back(b_.arrive({anyMbarrier()}));
    case 1:
      return list.push_back(b_.waitPhase({anyMbarrier()}, {{below(2), {}}, 1}));
    case 2:
    case 3:
      return addCopy(list);
    case 4:
      return addAsync(list);
    case 5:
      return list.push_back(
          b_.namedBarrier(oneIn(4) ? below(3) : lane_, oneIn(4) ? 1 + below(3) : laneThreads_));
    case 6:
      return list.push_back(lane_ == 0 || comesToBlockBarriers_ ? b_.barrier() : leaf());
    case 7:
      if (depth == 0)
        return addLoop(list);
      [[fallthrough]];
    case 8:
    case 10:
      return addUse(list);
    default:
      list.push_back(leaf());
    }
  }

  void addLoop(std::vector<uint32_t> &list) {
    loop_ = b_.stmt();
    std::vector<uint32_t> body;
    for (int64_t count = 1 + below(2); count-- > 0;)
      addStatement(body, 1);
    int64_t trips = 1 + below(2);
    list.push_back(b_.loop(*loop_, trips, trips + (oneIn(8) ? 1 : 0), std::move(body)));
    loop_.reset();
  }

  // Mostly one phase takes all arrivals that there are.
  void countArrivals(AccessProgram &program) {
    std::vector<int64_t> total(program.mbarriers.size(), 0);
    countUnder(program, program.root, program.threads, 1, total);
    for (auto [mbarrier, count] : llvm::zip(program.mbarriers, total))
      mbarrier.arrivals = std::max<int64_t>(oneIn(5) ? below(4) : count, 1);
  }

  static void countUnder(const AccessProgram &program, uint32_t index, int64_t threads,
                         int64_t times, std::vector<int64_t> &total) {
    const AccessNode &node = program.nodes[index];
    if (node.kind == AccessNode::Kind::Arrive)
      total[node.mbarrier->first] += times * (node.oneThread ? 1 : threads);
    if (node.kind == AccessNode::Kind::Loop)
      times *= node.minTrips;
    for (size_t child = 0; child != node.children.size(); ++child) {
      bool isLane = node.kind == AccessNode::Kind::Roles;
      countUnder(program, node.children[child], isLane ? node.laneThreads[child] : threads, times,
                 total);
    }
  }

  std::mt19937 random_;
  ProgramBuilder b_;
  std::vector<BufferId> buffers_;
  std::optional<StmtId> loop_;
  int64_t laneThreads_ = 0, lane_ = 0;
  bool isPlain_ = false, comesToBlockBarriers_ = false, onlyReads_ = false;
};

} // namespace tilescope::test
