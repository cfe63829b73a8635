#include "core/recorded/program_limits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// They bound what the analyses may cost.
constexpr size_t MaxNodes = 4096;
constexpr size_t MaxAccesses = 1 << 14;
constexpr size_t MaxBuffers = 256;
constexpr int64_t MaxSlots = 1024;
constexpr int64_t MaxCopies = 128; // slots of asynchronous accesses
constexpr int64_t MaxCount = 1 << 16;
constexpr int64_t MaxFigure = int64_t(1) << 32;
constexpr size_t MaxMbarriers = 1024;
constexpr size_t MaxTerms = 8; // of a counter
constexpr int64_t MaxCases = 64;

bool isCount(int64_t count) { return 0 <= count && count <= MaxCount; }

bool isFigure(int64_t figure) { return -MaxFigure <= figure && figure <= MaxFigure; }

bool isSensible(const LoopCounter &counter) {
  return isFigure(counter.offset) && counter.terms.size() <= MaxTerms &&
         llvm::all_of(counter.terms,
                      [](const LoopCounter::Term &term) { return isFigure(term.step); });
}

bool isSensible(const std::optional<MbarrierRef> &ref) {
  return !ref || (ref->first < MaxMbarriers && isCount(ref->modulus) && isSensible(ref->counter));
}

bool isSensible(const Slot &slot, int64_t versions) {
  bool isOfLoops = slot.kind == Slot::Kind::Loop || !slot.counter.terms.empty();
  return isCount(slot.offset) && isCount(slot.modulus) && isSensible(slot.counter) &&
         (slot.kind != Slot::Kind::Constant || slot.offset < versions) &&
         (!isOfLoops || (slot.modulus > 0 && slot.modulus <= versions));
}

bool isSensible(const Access &access, const AccessProgram &program) {
  std::optional<size_t> buffer = indexOf(program, access.buffer);
  return buffer && isSensible(access.mbarrier) && (access.async || !access.mbarrier) &&
         isFigure(access.bytes) && isSensible(access.slot, program.buffers[*buffer].versions);
}

bool areCasesSensible(const AccessNode &node, int64_t cases) {
  bool isWhole = node.byCase.empty() || static_cast<int64_t>(node.byCase.size()) == cases;
  return isWhole && llvm::all_of(node.byCase, isCount) && isCount(node.onZeros.value_or(0));
}

bool isSyncSensible(const AccessNode &node) {
  bool needsMbarrier = node.kind == AccessNode::Kind::Arrive ||
                       node.kind == AccessNode::Kind::Expect ||
                       node.kind == AccessNode::Kind::WaitPhase;
  return needsMbarrier == node.mbarrier.has_value() && isSensible(node.mbarrier) &&
         isCount(node.count) && isCount(node.begins.value_or(0)) && isFigure(node.bytes) &&
         isSensible(node.parity.counter) && isCount(node.parity.divisor) &&
         isCount(node.barrierId) && isCount(node.threads) &&
         llvm::all_of(node.laneThreads, isCount);
}

bool isSensible(const AccessNode &node, const AccessProgram &program) {
  size_t children = node.children.size();
  if (!isCount(node.pending) || node.minTrips < 0 || node.maxTrips.value_or(node.minTrips) < 0 ||
      !isSyncSensible(node) || !areCasesSensible(node, program.cases))
    return false;
  auto areSensible = [&](const std::vector<Access> &accesses) {
    return llvm::all_of(accesses, [&](const Access &a) { return isSensible(a, program); });
  };
  bool hasRun = node.accessesOnZeros.has_value();
  if (!areSensible(node.accesses) ||
      (hasRun && (node.kind != AccessNode::Kind::Leaf || !areSensible(*node.accessesOnZeros))))
    return false;
  switch (node.kind) {
  case AccessNode::Kind::Seq:
  case AccessNode::Kind::Roles:
    return node.accesses.empty();
  case AccessNode::Kind::Loop:
    return node.accesses.empty() && children == 1;
  case AccessNode::Kind::If:
    return node.accesses.empty() && (children == 1 || children == 2);
  default:
    return children == 0;
  }
}

int64_t slotsOfCopies(const std::vector<Access> &accesses, const AccessProgram &program) {
  int64_t count = 0;
  for (const Access &access : accesses)
    if (std::optional<size_t> buffer = indexOf(program, access.buffer); buffer && access.async)
      count += std::max<int64_t>(program.buffers[*buffer].versions, 1);
  return count;
}

} // namespace

// The reader has checked that it is a tree.
const char *whyNotFollowed(const AccessProgram &program) {
  int64_t slots = 0, copies = 0, copiesOnZeros = 0;
  for (const AccessBuffer &buffer : program.buffers)
    slots += std::max<int64_t>(buffer.versions, 1);
  size_t accesses = 0;
  for (const AccessNode &node : program.nodes) {
    const std::vector<Access> &onZeros =
        node.accessesOnZeros ? *node.accessesOnZeros : node.accesses;
    accesses += node.accesses.size() + (node.accessesOnZeros ? onZeros.size() : 0);
    copies += slotsOfCopies(node.accesses, program);
    copiesOnZeros += slotsOfCopies(onZeros, program);
  }
  if (program.nodes.size() > MaxNodes || accesses > MaxAccesses ||
      program.buffers.size() > MaxBuffers || slots > MaxSlots ||
      std::max(copies, copiesOnZeros) > MaxCopies || program.mbarriers.size() > MaxMbarriers)
    return TooMuch;
  bool isFine =
      llvm::all_of(program.nodes,
                   [&](const AccessNode &node) { return isSensible(node, program); }) &&
      isCount(program.threads) && 0 <= program.cases && program.cases <= MaxCases &&
      llvm::all_of(program.mbarriers, [](const AccessMbarrier &m) { return isCount(m.arrivals); });
  return isFine ? nullptr : "what its accesses mean";
}

} // namespace tilescope
