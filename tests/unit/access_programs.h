// Shorthand for writing AccessPrograms in tests, and the kernels that several tests use.
#pragma once

#include "core/access/access_program.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope::test {

inline Slot at(int64_t number) { return {Slot::Kind::Constant, number, 1, {}}; }
inline Slot inLoop(StmtId loop, int64_t offset, int64_t modulus) {
  return {Slot::Kind::Loop, offset, modulus, loop};
}
inline Slot anySlot() { return {Slot::Kind::Dynamic, 0, 1, {}}; }

inline Access read(BufferId buffer, const Slot &slot = {}) {
  Access access;
  access.buffer = buffer;
  access.slot = slot;
  return access;
}
inline Access write(BufferId buffer, const Slot &slot = {}) {
  Access access = read(buffer, slot);
  access.kind = AccessKind::Write;
  access.full = true;
  return access;
}
inline Access partial(BufferId buffer, const Slot &slot = {}) {
  Access access = write(buffer, slot);
  access.full = false;
  return access;
}
inline Access async(Access access, uint32_t queue = CopyQueue) {
  access.async = true;
  access.queue = queue;
  return access;
}

// first + (k + offset) mod modulus.
inline MbarrierRef ringOf(uint32_t first, int64_t modulus, StmtId loop, int64_t offset = 0) {
  return {first, modulus, {offset, {{loop, 1}}}};
}
// The parity of use k + offset of a ring of `slots`.
inline PhaseParity phaseOf(StmtId loop, int64_t slots, int64_t offset = 0) {
  return {{offset, {{loop, 1}}}, slots};
}
inline Access counted(Access access, MbarrierRef mbarrier, int64_t bytes) {
  access.async = true;
  access.mbarrier = std::move(mbarrier);
  access.bytes = bytes;
  return access;
}

// Builds a tree from the leaves up; statement ids count from 0 in the order of creation.
class ProgramBuilder {
public:
  AccessProgram program;

  BufferId buffer(std::string name, int64_t versions = 1) {
    BufferId id(static_cast<uint32_t>(program.buffers.size()));
    program.buffers.push_back({id, std::move(name), versions});
    return id;
  }
  StmtId stmt() { return StmtId(nextStmt_++); }

  uint32_t leaf(std::vector<Access> accesses) {
    AccessNode node = make(AccessNode::Kind::Leaf);
    node.accesses = std::move(accesses);
    return program.add(std::move(node));
  }
  uint32_t seq(std::vector<uint32_t> children) {
    AccessNode node;
    node.children = std::move(children);
    return program.add(std::move(node));
  }
  uint32_t loop(StmtId id, int64_t minTrips, std::optional<int64_t> maxTrips,
                std::vector<uint32_t> children) {
    AccessNode node;
    node.kind = AccessNode::Kind::Loop;
    node.stmt = id;
    node.minTrips = minTrips;
    node.maxTrips = maxTrips;
    node.children = {seq(std::move(children))};
    return program.add(std::move(node));
  }
  uint32_t branch(std::vector<uint32_t> children) {
    AccessNode node = make(AccessNode::Kind::If);
    node.children = std::move(children);
    return program.add(std::move(node));
  }
  uint32_t guarded(StmtId loop, int64_t distance, uint32_t child) {
    uint32_t index = branch({child});
    program.nodes[index].guardLoop = loop;
    program.nodes[index].guardDistance = distance;
    return index;
  }
  uint32_t roles(std::vector<uint32_t> children) {
    AccessNode node = make(AccessNode::Kind::Roles);
    node.children = std::move(children);
    return program.add(std::move(node));
  }
  uint32_t commit(uint32_t queue = CopyQueue) {
    AccessNode node = make(AccessNode::Kind::Commit);
    node.queue = queue;
    return program.add(std::move(node));
  }
  uint32_t barrier() { return program.add(make(AccessNode::Kind::Barrier)); }
  uint32_t wait(int64_t pending, uint32_t queue = CopyQueue) {
    AccessNode node = make(AccessNode::Kind::Wait);
    node.pending = pending;
    node.queue = queue;
    return program.add(std::move(node));
  }
  // `arrivals` end a phase; the numbers count up from 0.
  uint32_t mbarrier(int64_t arrivals) {
    auto number = static_cast<uint32_t>(program.mbarriers.size());
    program.mbarriers.push_back({"m" + std::to_string(number), arrivals});
    return number;
  }
  uint32_t arrive(MbarrierRef mbarrier, int64_t count = 1) {
    AccessNode node = make(AccessNode::Kind::Arrive);
    node.mbarrier = std::move(mbarrier);
    node.count = count;
    return program.add(std::move(node));
  }
  uint32_t expect(MbarrierRef mbarrier, int64_t bytes) {
    AccessNode node = make(AccessNode::Kind::Expect);
    node.mbarrier = std::move(mbarrier);
    node.bytes = bytes;
    return program.add(std::move(node));
  }
  uint32_t waitPhase(MbarrierRef mbarrier, PhaseParity parity) {
    AccessNode node = make(AccessNode::Kind::WaitPhase);
    node.mbarrier = std::move(mbarrier);
    node.parity = std::move(parity);
    return program.add(std::move(node));
  }
  uint32_t namedBarrier(int64_t id, int64_t threads) {
    AccessNode node = make(AccessNode::Kind::NamedBarrier);
    node.barrierId = id;
    node.threads = threads;
    return program.add(std::move(node));
  }
  uint32_t fence() { return program.add(make(AccessNode::Kind::ProxyFence)); }
  uint32_t oneThread(uint32_t index) {
    program.nodes[index].oneThread = true;
    return index;
  }
  uint32_t lanes(std::vector<uint32_t> children, std::vector<int64_t> threads) {
    uint32_t index = roles(std::move(children));
    program.nodes[index].laneThreads = std::move(threads);
    return index;
  }
  AccessProgram finish(std::vector<uint32_t> children) {
    program.root = seq(std::move(children));
    return program;
  }

private:
  AccessNode make(AccessNode::Kind kind) {
    AccessNode node;
    node.kind = kind;
    node.stmt = stmt();
    return node;
  }
  uint32_t nextStmt_ = 0;
};

// Attention forward, blocks 128x128, fp16: every tile of Q, K, V, O has 32,768 bytes.
constexpr int64_t AttentionTileBytes = 32768;

// Buffers in order: Q, K, V, O.
inline AccessProgram attentionForward(int64_t stages, int64_t minTrips = 2,
                                      std::optional<int64_t> maxTrips = std::nullopt) {
  ProgramBuilder b;
  int64_t versions = std::max<int64_t>(stages, 1);
  BufferId q = b.buffer("Q_shared"), k = b.buffer("K_shared", versions);
  BufferId v = b.buffer("V_shared", versions), o = b.buffer("O_shared");
  StmtId loop = b.stmt();
  std::vector<uint32_t> all = {b.leaf({write(q)})};
  auto copy = [&](std::vector<uint32_t> &list, int64_t distance, BufferId buffer, Slot slot) {
    list.push_back(b.guarded(loop, distance, b.leaf({async(write(buffer, slot))})));
    list.push_back(b.commit());
  };
  std::vector<uint32_t> body;
  auto add = [&](uint32_t node) { body.push_back(node); };
  if (stages == 2) {
    copy(all, 0, k, at(0)), copy(all, 0, v, at(0)), copy(all, 1, k, at(1));
    add(b.wait(2)), add(b.barrier());
    copy(body, 1, v, inLoop(loop, 1, 2));
    add(b.leaf({read(q), read(k, inLoop(loop, 0, 2))}));
    add(b.wait(2)), add(b.barrier());
    copy(body, 2, k, inLoop(loop, 2, 2));
    add(b.leaf({read(v, inLoop(loop, 0, 2))}));
  } else if (stages == 1) {
    copy(all, 0, k, at(0)), copy(all, 0, v, at(0));
    add(b.wait(1)), add(b.barrier());
    add(b.leaf({read(q), read(k)}));
    add(b.barrier());
    copy(body, 1, k, at(0));
    add(b.wait(1)), add(b.barrier());
    add(b.leaf({read(v)}));
    add(b.barrier());
    copy(body, 1, v, at(0));
  } else {
    add(b.barrier()), add(b.leaf({write(k)})), add(b.barrier());
    add(b.leaf({read(q), read(k)}));
    add(b.barrier()), add(b.leaf({write(v)})), add(b.barrier());
    add(b.leaf({read(v)}));
  }
  all.push_back(b.loop(loop, minTrips, maxTrips, body));
  all.push_back(b.barrier());
  all.push_back(b.leaf({write(o)}));
  all.push_back(b.barrier());
  all.push_back(b.leaf({read(o)}));
  return b.finish(all);
}

// GEMM, {wait, barrier, issue, compute}; buffers in order: A, B.
inline AccessProgram pipelinedGemm(int64_t stages, int64_t minTrips = 1,
                                   std::optional<int64_t> maxTrips = std::nullopt) {
  ProgramBuilder p;
  BufferId a = p.buffer("A_shared", stages), b = p.buffer("B_shared", stages);
  StmtId loop = p.stmt();
  std::vector<uint32_t> all;
  for (int64_t stage = 0; stage + 1 < stages; ++stage) {
    all.push_back(
        p.guarded(loop, stage, p.leaf({async(write(a, at(stage))), async(write(b, at(stage)))})));
    all.push_back(p.commit());
  }
  Slot next = inLoop(loop, stages - 1, stages), now = inLoop(loop, 0, stages);
  all.push_back(
      p.loop(loop, minTrips, maxTrips,
             {p.wait(stages - 2), p.barrier(),
              p.guarded(loop, stages - 1, p.leaf({async(write(a, next)), async(write(b, next))})),
              p.commit(), p.leaf({read(a, now), read(b, now)})}));
  return p.finish(all);
}

} // namespace tilescope::test
