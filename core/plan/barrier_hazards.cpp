// forEachHazard: forward over the flow graph, once for all accesses that begin the same ways.
#include "core/plan/barrier_hazards.h"

#include "core/access/flow_graph.h"
#include "core/access/node_threads.h"
#include "core/analysis/element_owners.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <queue>

namespace tilescope {

namespace {

// A site inside a loop of unknown trip count counts as this many.
constexpr double UnknownTrips = 16;

class SiteLister {
public:
  explicit SiteLister(const AccessProgram &program) : program_(program) {}

  std::vector<CandidateSite> run() {
    if (program_.root < program_.nodes.size())
      list(program_.root, 1);
    return std::move(sites_);
  }

private:
  // Nothing below a divergent statement or a role: not all threads get there.
  void list(uint32_t index, double runs) {
    const AccessNode &node = program_.nodes[index];
    if (node.isDivergent || node.kind == AccessNode::Kind::Roles)
      return;
    if (node.kind == AccessNode::Kind::Loop)
      runs *= std::max<double>(node.maxTrips ? static_cast<double>(*node.maxTrips) : UnknownTrips,
                               static_cast<double>(node.minTrips));
    bool isSeq = node.kind == AccessNode::Kind::Seq && !node.children.empty();
    for (uint32_t at = 0; at != node.children.size(); ++at) {
      if (isSeq && !isInsideStatement(node, at))
        sites_.push_back({index, at, runs});
      list(node.children[at], runs);
    }
    if (isSeq)
      sites_.push_back({index, static_cast<uint32_t>(node.children.size()), runs});
  }

  // The condition and the sides of an If are siblings where threads disagree on it.
  bool isInsideStatement(const AccessNode &seq, uint32_t at) const {
    StmtId stmt = program_.nodes[seq.children[at]].stmt;
    return at != 0 && stmt.isValid() && program_.nodes[seq.children[at - 1]].stmt == stmt;
  }

  const AccessProgram &program_;
  std::vector<CandidateSite> sites_;
};

// What is known, at one vertex, of the accesses that are followed.
struct Fact {
  uint64_t inFlight = 0; // bit n: copied, n commits ago, and not waited for
  bool isOpen = false;   // finished, with no barrier since on some path
  llvm::BitVector sites; // isOpen: on every such path
  uint64_t openTo = 0;   // isOpen: the meetings of NodeThreads for whose threads it is
};

class HazardFinder {
public:
  using MayOverlap = llvm::function_ref<bool(const SlotAccess &, const SlotAccess &)>;
  using Visit =
      llvm::function_ref<void(const SlotAccess &, const SlotAccess &, const llvm::BitVector &)>;

  HazardFinder(const AccessProgram &program, llvm::ArrayRef<CandidateSite> candidates,
               MayOverlap mayOverlap, Visit visit, const llvm::BitVector &standing)
      : program_(program), threads_(program), graph_(buildFlowGraph(program)), standing_(standing),
        siteCount_(static_cast<unsigned>(candidates.size())), mayOverlap_(mayOverlap),
        visit_(visit), facts_(graph_.vertices.size()), isReached_(graph_.vertices.size(), false),
        isPending_(graph_.vertices.size(), false), isStart_(graph_.vertices.size(), false),
        siteAt_(graph_.vertices.size(), -1), accessesAt_(graph_.vertices.size()) {
    std::map<std::pair<uint32_t, uint32_t>, int> siteOf;
    for (auto [index, site] : llvm::enumerate(candidates))
      siteOf[{site.seq, site.before}] = static_cast<int>(index);
    for (auto [index, vertex] : llvm::enumerate(graph_.vertices))
      if (vertex.kind == FlowVertex::Kind::Site) {
        auto found = siteOf.find({vertex.node, static_cast<uint32_t>(vertex.index)});
        siteAt_[index] = found == siteOf.end() ? -1 : found->second;
      }
    standing_.resize(siteCount_);
    addAccesses();
  }

  void run(const std::function<bool()> &stop) {
    std::vector<bool> isDone(accesses_.size(), false);
    for (size_t index = 0; index != accesses_.size(); ++index) {
      if (isDone[index])
        continue;
      if (stop && stop())
        return;
      std::vector<size_t> alike;
      for (size_t other : accessesOf_[accesses_[index].node])
        if (startsAlike(index, other)) {
          alike.push_back(other);
          isDone[other] = true;
        }
      follow(alike);
    }
  }

private:
  void addAccesses() {
    for (uint32_t leaf : leavesInOrder(program_))
      for (const Access &access : program_.nodes[leaf].accesses)
        if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
          for (int64_t slot = 0; slot < std::max<int64_t>(program_.buffers[*buffer].versions, 1);
               ++slot) {
            accessesOf_[leaf].push_back(accesses_.size());
            accesses_.push_back({leaf, &access, *buffer, slot});
          }
    startsOf_.resize(accesses_.size());
    for (auto [index, vertex] : llvm::enumerate(graph_.vertices)) {
      if (vertex.kind != FlowVertex::Kind::Leaf)
        continue;
      auto found = accessesOf_.find(vertex.node);
      if (found == accessesOf_.end())
        continue;
      for (size_t at : found->second) {
        const SlotAccess &one = accesses_[at];
        SlotRange slots =
            graph_.slotsOf(*one.access, program_.buffers[one.buffer].versions, vertex);
        if (slots.first > one.slot || one.slot >= slots.last)
          continue;
        startsOf_[at].push_back(static_cast<uint32_t>(index));
        accessesAt_[index].push_back(at);
      }
    }
  }

  bool startsAlike(size_t a, size_t b) const {
    const Access &one = *accesses_[a].access, &other = *accesses_[b].access;
    return one.async == other.async && one.queue == other.queue && startsOf_[a] == startsOf_[b];
  }

  void follow(llvm::ArrayRef<size_t> alike) {
    const Access &access = *accesses_[alike.front()].access;
    for (uint32_t start : startsOf_[alike.front()]) {
      isStart_[start] = true;
      push(start);
    }
    while (!pending_.empty()) {
      uint32_t index = pending_.top();
      pending_.pop();
      isPending_[index] = false;
      Fact after = transfer(index, access, accesses_[alike.front()].node);
      if (after.inFlight == 0 && !after.isOpen)
        continue;
      for (uint32_t next : graph_.vertices[index].successors) {
        if (join(facts_[next], after) || !isReached_[next])
          push(next);
        if (!isReached_[next])
          reached_.push_back(next);
        isReached_[next] = true;
      }
    }
    llvm::sort(reached_);
    for (uint32_t index : reached_)
      if (facts_[index].isOpen && facts_[index].inFlight == 0)
        collect(alike, index);
    forget(startsOf_[alike.front()]);
  }

  void push(uint32_t vertex) {
    if (isPending_[vertex])
      return;
    isPending_[vertex] = true;
    pending_.push(vertex);
  }

  void forget(llvm::ArrayRef<uint32_t> starts) {
    for (uint32_t start : starts)
      isStart_[start] = false;
    for (uint32_t index : reached_) {
      isReached_[index] = false;
      facts_[index].inFlight = 0;
      facts_[index].isOpen = false;
    }
    reached_.clear();
  }

  // Of an access of the leaf `of`.
  Fact transfer(uint32_t index, const Access &access, uint32_t of) const {
    const FlowVertex &vertex = graph_.vertices[index];
    Fact fact = facts_[index];
    if (isStart_[index]) {
      if (access.async)
        fact.inFlight |= 1;
      else
        open(fact);
    }
    if (fact.isOpen && siteAt_[index] >= 0) {
      auto site = static_cast<unsigned>(siteAt_[index]);
      fact.sites.set(site);
      fact.isOpen = !standing_.test(site);
    }
    if (vertex.kind != FlowVertex::Kind::Leaf)
      return fact;
    const AccessNode &node = program_.nodes[vertex.node];
    bool isItsQueue = access.goesThrough(node.queue);
    if (node.kind == AccessNode::Kind::Commit && isItsQueue)
      fact.inFlight = fact.inFlight << 1 | (fact.inFlight & uint64_t(1) << 63);
    if (node.kind == AccessNode::Kind::Wait && isItsQueue)
      arrive(fact, node.pending);
    if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block)
      fact.isOpen = false;
    if (std::optional<size_t> meeting = threads_.meetingOf(program_, vertex.node);
        meeting && threads_.isOfMeeting(*meeting, of))
      fact.openTo &= ~(uint64_t(1) << *meeting);
    return fact;
  }

  // It has just happened: no site has been passed since.
  void open(Fact &fact) const {
    fact.isOpen = true;
    fact.openTo = ~uint64_t(0);
    fact.sites.clear();
    fact.sites.resize(siteCount_);
  }

  void arrive(Fact &fact, int64_t pending) const {
    if (pending >= 63)
      return;
    uint64_t young = (uint64_t(2) << std::max<int64_t>(pending, 0)) - 1;
    if (fact.inFlight & ~young)
      open(fact);
    fact.inFlight &= young;
  }

  static bool join(Fact &into, const Fact &from) {
    bool grew = (from.inFlight & ~into.inFlight) != 0;
    into.inFlight |= from.inFlight;
    if (!from.isOpen)
      return grew;
    if (!into.isOpen) {
      into.isOpen = true;
      into.openTo = from.openTo;
      into.sites = from.sites;
      return true;
    }
    grew |= (from.openTo & ~into.openTo) != 0;
    into.openTo |= from.openTo;
    if (!into.sites.test(from.sites))
      return grew;
    into.sites &= from.sites;
    return true;
  }

  // The facts hold before the vertex.
  void collect(llvm::ArrayRef<size_t> alike, uint32_t vertex) {
    for (size_t at : accessesAt_[vertex])
      for (size_t from : alike)
        if (isOpenTo(facts_[vertex], accesses_[at].node) &&
            mayConflict(accesses_[from], accesses_[at]))
          visit_(accesses_[from], accesses_[at], facts_[vertex].sites);
  }

  bool isOpenTo(const Fact &fact, uint32_t node) const {
    for (size_t meeting = 0; meeting != threads_.meetings(); ++meeting)
      if (!(fact.openTo >> meeting & 1) && threads_.isOfMeeting(meeting, node))
        return false;
    return true;
  }

  static bool areOfOneThread(const Access &a, const Access &b) {
    return a.sameThreadToken != 0 && a.sameThreadToken == b.sameThreadToken &&
           a.sameThreadToken < OwnerTokens::FirstOfDrawn;
  }

  bool mayConflict(const SlotAccess &a, const SlotAccess &b) const {
    if (a.access->kind == AccessKind::Read && b.access->kind == AccessKind::Read)
      return false;
    if (a.access->atomic && b.access->atomic)
      return false;
    if (a.buffer == b.buffer)
      return a.slot == b.slot && !areOfOneThread(*a.access, *b.access);
    return mayOverlap_(a, b);
  }

  const AccessProgram &program_;
  NodeThreads threads_;
  FlowGraph graph_;
  llvm::BitVector standing_;
  unsigned siteCount_;
  MayOverlap mayOverlap_;
  Visit visit_;
  std::vector<SlotAccess> accesses_;
  std::map<uint32_t, std::vector<size_t>> accessesOf_;   // per leaf
  std::vector<llvm::SmallVector<uint32_t, 2>> startsOf_; // per access: the vertices that make it
  // While one group is followed; clean in between.
  std::vector<Fact> facts_; // before each vertex
  std::vector<bool> isReached_;
  std::vector<bool> isPending_;
  std::vector<bool> isStart_;
  std::vector<uint32_t> reached_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> pending_;
  // Per vertex.
  std::vector<int> siteAt_; // -1: none
  std::vector<llvm::SmallVector<size_t, 2>> accessesAt_;
};

} // namespace

std::vector<CandidateSite> listCandidateSites(const AccessProgram &program) {
  return SiteLister(program).run();
}

void forEachHazard(const AccessProgram &program, llvm::ArrayRef<CandidateSite> candidates,
                   HazardFinder::MayOverlap mayOverlap, HazardFinder::Visit visit,
                   const std::function<bool()> &stop, const llvm::BitVector &standing) {
  HazardFinder(program, candidates, mayOverlap, visit, standing).run(stop);
}

} // namespace tilescope
