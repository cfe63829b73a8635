#include "core/recorded/foreign_trace.h"

#include "core/access/arena_plan.h"
#include "core/access/happens_before.h"
#include "core/access/program_cases.h"
#include "core/check/fault_sentences.h"
#include "core/check/run_overwrites.h"
#include "core/check/step_hazards.h"
#include "core/check/stoppable_checks.h"
#include "core/plan/planner.h"
#include "core/recorded/linear_banks.h"
#include "core/recorded/program_limits.h"
#include "core/support/diagnostics.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// A trace comes from strangers, and these bound what the analyses may cost.
constexpr size_t MaxNodesOfTrace = 1 << 16;
constexpr int64_t MaxStepsOfTrace = 1 << 20; // nodes that the checks walk over
constexpr int64_t MaxNodesOfCases = 1 << 14;
constexpr size_t MaxLaneSteps = 1 << 17; // of all programs that are followed step by step
// Before it a recorder itself put behind the roles what follows them.
constexpr int FirstMinorOfRoles = 5;
constexpr size_t MaxPairsTold = 3; // of accesses that nothing is shown to order
constexpr const char *SameBytesAtTheSameTime = "' hold the same bytes at the same time";

bool isBetweenRoles(const AccessNode &node) {
  switch (node.kind) {
  case AccessNode::Kind::Roles:
  case AccessNode::Kind::Arrive:
  case AccessNode::Kind::Expect:
  case AccessNode::Kind::WaitPhase:
  case AccessNode::Kind::NamedBarrier:
    return true;
  default:
    return false;
  }
}

void addOnce(std::vector<std::string> &reasons, const std::string &reason) {
  if (!llvm::is_contained(reasons, reason))
    reasons.push_back(reason);
}

void addReason(AccessRecord &record, const std::string &reason) {
  addOnce(record.notFollowed, reason);
}

std::string nameOf(const AccessProgram &program, BufferId id) {
  std::optional<size_t> index = indexOf(program, id);
  return index ? program.buffers[*index].name : std::string();
}

// ---- Plans --------------------------------------------------------------------------------------

const BufferLifetime *lifeOf(const AccessRecord &access, BufferId id) {
  auto found = llvm::find_if(access.lifetimes.buffers,
                             [&](const BufferLifetime &life) { return life.buffer == id; });
  return found == access.lifetimes.buffers.end() ? nullptr : &*found;
}

// Where no plan is recorded: what Tilescope would do with what the program has now.
ArenaRecord previewOf(const AccessRecord &access, const TraceSnapshot &snapshot) {
  ArenaRecord arena;
  arena.function = access.function;
  arena.unknown = {"versions, layouts, alignments and workspaces of later passes"};
  for (const AccessBuffer &used : access.program.buffers) {
    const BufferRecord *buffer = recordOf(snapshot, used.id);
    if (!buffer || buffer->scope != BufferScope::SharedDynamic || buffer->versions < 1)
      continue;
    if (!buffer->sizeBytes) {
      arena.unknown.push_back("the size of '" + buffer->name + "'");
      continue;
    }
    ArenaBuffer problem;
    problem.id = used.id;
    problem.name = used.name;
    problem.sizeBytes = *buffer->sizeBytes;
    problem.versions = buffer->versions;
    problem.strideBytes = *buffer->sizeBytes / buffer->versions;
    arena.problem.buffers.push_back(std::move(problem));
  }
  return arena;
}

// Sets lives and capacity, and works out the plan: the recorded one as it is, or a preview of ours.
void completeArena(ArenaRecord &arena, const AccessRecord &access, int64_t capacityBytes) {
  arena.problem.capacityBytes = capacityBytes;
  std::vector<int64_t> offsets;
  for (ArenaBuffer &buffer : arena.problem.buffers) {
    const BufferLifetime *life = lifeOf(access, buffer.id);
    buffer.live = life ? life->intervals : std::vector<LiveInterval>();
    const Placement *placement = arena.plan.find(buffer.id);
    offsets.push_back(placement ? placement->offsetBytes : 0);
  }
  ArenaPlan least = planArena(arena.problem);
  if (arena.preview && arena.plan.placements.empty()) {
    arena.plan = std::move(least);
    return;
  }
  arena.plan = describePlan(arena.problem, offsets);
  if (arena.preview)
    return;
  arena.unknown = access.notFollowed;
  arena.unknown.insert(arena.unknown.end(), access.notOrdered.begin(), access.notOrdered.end());
  if (arena.unknown.empty())
    arena.plan.certificate = least.certificate;
}

std::vector<BufferBytes> bytesOf(const ArenaRecord &arena) {
  std::vector<BufferBytes> bytes;
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    if (const Placement *placement = arena.plan.find(buffer.id))
      bytes.push_back({buffer.id, placement->offsetBytes, buffer.strideBytes, buffer.strideBytes});
  return bytes;
}

bool shareBytes(const ArenaBuffer &a, int64_t offsetA, const ArenaBuffer &b, int64_t offsetB) {
  return offsetA < offsetB + b.sizeBytes && offsetB < offsetA + a.sizeBytes;
}

// "A' and 'B": two buffers that have bytes in common; "": all lie apart.
std::string pairThatShares(const ArenaRecord &arena) {
  llvm::ArrayRef<ArenaBuffer> buffers = arena.problem.buffers;
  for (auto [i, a] : llvm::enumerate(buffers))
    for (const ArenaBuffer &b : buffers.drop_front(i + 1)) {
      const Placement *placeA = arena.plan.find(a.id), *placeB = arena.plan.find(b.id);
      if (placeA && placeB && shareBytes(a, placeA->offsetBytes, b, placeB->offsetBytes))
        return a.name + "' and '" + b.name;
    }
  return "";
}

// A buffer in dynamic shared memory of which the plan does not say where it is; "": there is none.
std::string bufferWithoutPlace(const AccessProgram &program, const ArenaRecord &arena,
                               const TraceSnapshot &snapshot) {
  for (const AccessBuffer &used : program.buffers) {
    const BufferRecord *buffer = recordOf(snapshot, used.id);
    bool isElsewhere = buffer && buffer->scope != BufferScope::SharedDynamic;
    if (!isElsewhere && !arena.plan.find(used.id))
      return used.name;
  }
  return "";
}

int64_t staticBytesOf(const TraceSnapshot &snapshot) {
  int64_t bytes = 0;
  for (const BufferRecord &buffer : *snapshot.buffers)
    if (isShared(buffer.scope) && buffer.scope != BufferScope::SharedDynamic)
      bytes += buffer.sizeBytes.value_or(0);
  return bytes;
}

// ---- The trace ----------------------------------------------------------------------------------

class Completion {
public:
  explicit Completion(Trace &trace) : trace_(trace) {}

  void run() {
    if (const Target *target = targetOf(trace_); target && trace_.header.capacityBytes == 0)
      trace_.header.capacityBytes = target->sharedBytesPerBlock;
    for (size_t pass = 0; pass != trace_.passes.size(); ++pass) {
      size_t snapshot = trace_.passes[pass].snapshot;
      if (pass == 0 || snapshot != trace_.passes[pass - 1].snapshot)
        complete(trace_.snapshots[snapshot]);
      TracePass &done = trace_.passes[pass];
      done.verdicts = done.status == PassStatus::Failed ? TraceVerdicts() : verdicts_;
      done.figures.reset();
      done.figures = figuresOf(trace_, pass);
    }
    trace_.diagnostics.insert(trace_.diagnostics.end(), faults_.begin(), faults_.end());
  }

private:
  // Passes that left accesses, buffers and plan alone share what was made of them.
  void complete(TraceSnapshot &snapshot) {
    if (snapshot.accesses == accessesBefore_ && snapshot.arenas == arenasBefore_ &&
        snapshot.buffers == buffersBefore_) {
      snapshot.accesses = accesses_;
      snapshot.arenas = arenas_;
      snapshot.buffers = buffers_;
      return;
    }
    accessesBefore_ = snapshot.accesses;
    arenasBefore_ = snapshot.arenas;
    buffersBefore_ = snapshot.buffers;
    verdicts_ = TraceVerdicts();
    faults_.clear();
    buffers_ = snapshot.buffers = withLinearBanks(snapshot.buffers);
    std::vector<AccessRecord> accesses = *snapshot.accesses;
    std::vector<ArenaRecord> arenas;
    bool isPlanned = !accesses.empty();
    std::vector<bool> areWholeOrders;
    for (AccessRecord &access : accesses) {
      areWholeOrders.push_back(access.notOrdered.empty());
      if (!follow(access, snapshot)) {
        isPlanned = false;
        continue;
      }
      arenas.push_back(arenaOf(access, snapshot));
      isPlanned &= !arenas.back().preview;
    }
    if (isPlanned) {
      verdicts_.arenaSound = verdicts_.hazardFree = Verdict::Yes;
      for (size_t at = 0; at != accesses.size(); ++at)
        check({accesses[at], snapshot, bytesOf(arenas[at]), areWholeOrders[at],
               accesses[at].notOrdered.empty()},
              arenas[at]);
    }
    // One of static shared memory alone has none.
    llvm::erase_if(arenas, [](const ArenaRecord &arena) { return arena.problem.buffers.empty(); });
    accesses_ = std::make_shared<const std::vector<AccessRecord>>(std::move(accesses));
    arenas_ = std::make_shared<const std::vector<ArenaRecord>>(std::move(arenas));
    snapshot.accesses = accesses_;
    snapshot.arenas = arenas_;
  }

  // False: nothing is worked out of it.
  bool follow(AccessRecord &access, const TraceSnapshot &snapshot) {
    access.lifetimes = Lifetimes();
    const char *why = whyNotFollowed(access.program);
    nodes_ += access.program.nodes.size();
    if (!why && nodes_ > MaxNodesOfTrace)
      why = TooMuch;
    if (why) {
      addReason(access, why);
      return false;
    }
    access.program.meetsAtRoles = trace_.header.minor < FirstMinorOfRoles;
    if (access.program.cases * static_cast<int64_t>(access.program.nodes.size()) > MaxNodesOfCases)
      access.program.cases = 0;
    access.lifetimes = computeLifetimes(access.program);
    if (!llvm::any_of(access.program.nodes, isBetweenRoles))
      return true;
    // Order that is not shown may still be there.
    for (const AccessProgram &program : casesOf(access.program))
      for (const OrderGap &gap : computeHappensBefore(program).gaps)
        addOnce(access.notOrdered, gap.why + placeOf(gap.stmt, snapshot));
    if (access.notOrdered.empty())
      access.notOrdered.push_back("what mbarriers and roles order beside what is shown");
    return true;
  }

  // " (line N of the IR)"
  std::string placeOf(StmtId stmt, const TraceSnapshot &snapshot) const {
    for (auto [index, line] : llvm::enumerate(*snapshot.lines))
      if (stmt.isValid() && trace_.lines[line].stmt == stmt)
        return llvm::formatv(" (line {0} of the IR)", index + 1);
    return "";
  }

  ArenaRecord arenaOf(const AccessRecord &access, const TraceSnapshot &snapshot) const {
    auto recorded = llvm::find_if(*snapshot.arenas, [&](const ArenaRecord &arena) {
      bool isPlanned = !arena.preview || !arena.plan.placements.empty();
      return arena.function == access.function && isPlanned;
    });
    ArenaRecord arena =
        recorded == snapshot.arenas->end() ? previewOf(access, snapshot) : *recorded;
    int64_t capacity = trace_.header.capacityBytes - staticBytesOf(snapshot);
    completeArena(arena, access, std::max<int64_t>(capacity, 0));
    return arena;
  }

  // A buffer of which the plan does not say where it is may be anywhere.
  bool isLost(AccessRecord &access, const ArenaRecord &arena, const TraceSnapshot &snapshot) {
    std::string lost = bufferWithoutPlace(access.program, arena, snapshot);
    if (lost.empty())
      return false;
    lower(verdicts_.arenaSound, Verdict::NotEstablished);
    lower(verdicts_.hazardFree, Verdict::NotEstablished);
    addReason(access, "where '" + lost + "' is");
    return true;
  }

  // Accesses that do not say all still tell one thing: where no two buffers have bytes in common,
  // no access through one reaches another, whatever the order. Of two that do, neither their order
  // nor that copies into the first have ended is known.
  void checkApart(AccessRecord &access, const ArenaRecord &arena) {
    lower(verdicts_.hazardFree, Verdict::NotEstablished);
    std::string pair = pairThatShares(arena);
    if (pair.empty())
      return;
    lower(verdicts_.arenaSound, Verdict::NotEstablished);
    addReason(access, "whether '" + pair + SameBytesAtTheSameTime);
  }

  // A function under judgement.
  struct Judged {
    AccessRecord &access;
    const TraceSnapshot &snapshot;
    std::vector<BufferBytes> bytes;
    bool isWholeOrder = true; // the recorder left out nothing that orders accesses
    bool isPlainOrder = true; // nor is there anything besides barriers and waits that does
    bool isUnsound = false;
    std::string when;                    // of the run that is judged; "": of any
    llvm::ArrayRef<BufferId> exact = {}; // in that run, of those that are not in any
  };

  // What holds of the accesses as recorded holds of the program. What does not may be the fault of
  // the record: of an order that it does not say, of writes that define more than it says, or of
  // threads that keep to elements of their own.
  void check(Judged judged, ArenaRecord &arena) {
    AccessRecord &access = judged.access;
    if (isLost(access, arena, judged.snapshot))
      return;
    if (!access.notFollowed.empty()) {
      checkApart(access, arena);
      return;
    }
    for (const AccessProgram &program : casesOf(access.program))
      if (!checkCase(program, judged)) {
        lower(verdicts_.arenaSound, Verdict::NotEstablished);
        lower(verdicts_.hazardFree, Verdict::NotEstablished);
        return addReason(access, TooMuch);
      }
    if (std::optional<AccessProgram> run = runOnZeros(access.program))
      refute(*run, judged);
    // Where a plan is wrong, nothing is claimed of its height.
    if (judged.isUnsound)
      arena.plan.certificate = Certificate();
  }

  // Of one block. False: it takes too much.
  bool checkCase(const AccessProgram &program, Judged &judged) {
    auto stop = [this] { return ++steps_ > MaxStepsOfTrace; };
    std::vector<ArenaFault> faults = checkArena(program, judged.bytes, stop);
    for (const ArenaFault &fault : faults)
      judge(judged, fault);
    // With roles a barrier is not all that orders.
    bool hasRoles = llvm::any_of(program.nodes, isBetweenRoles);
    std::vector<HazardFault> hazards;
    if (!hasRoles)
      hazards = checkHazards(program, judged.bytes, stop);
    if (stop())
      return false;
    std::vector<OfLength> lengths;
    if (hasRoles && judged.isWholeOrder)
      lengths = followLengths(program);
    if (!judged.isWholeOrder) {
      lower(verdicts_.hazardFree, Verdict::NotEstablished);
    } else if (!lengths.empty()) {
      for (const OfLength &one : lengths)
        countSteps(one.order);
      if (laneSteps_ > MaxLaneSteps)
        return false;
      judgeHazards(judged, judgeLengths(lengths, judged.bytes), hazards);
    } else if (hasRoles || !hazards.empty()) {
      FollowedSteps order = followSteps(program);
      countSteps(order);
      if (laneSteps_ > MaxLaneSteps)
        return false;
      judgeHazards(judged, judgeSteps(program, judged.bytes, order), hazards);
      if (!faults.empty() && !judged.isPlainOrder)
        judgeRun(judged, findRunOverwrites(program, judged.bytes, order.steps.lanes, stop));
    }
    noteShared(program, judged);
    return true;
  }

  // One run can show that a program is wrong, and nothing else.
  void refute(const AccessProgram &run, Judged &judged) {
    if (!judged.isWholeOrder)
      return;
    FollowedSteps order = followSteps(run);
    countSteps(order);
    if (laneSteps_ > MaxLaneSteps)
      return;
    judged.when = "in the first block";
    if (const std::vector<std::string> &zeroed = judged.access.program.zeroed; !zeroed.empty())
      judged.when += ", where every element of '" + llvm::join(zeroed, "', '") + "' is 0";
    judged.exact = judged.access.exactOnZeros;
    StepHazards steps = judgeSteps(run, judged.bytes, order);
    if (steps.isFound())
      judgeHazards(judged, steps, {});
    auto stop = [this] { return ++steps_ > MaxStepsOfTrace; };
    if (verdicts_.arenaSound == Verdict::NotEstablished)
      judgeRun(judged, findRunOverwrites(run, judged.bytes, order.steps.lanes, stop));
  }

  void countSteps(const FollowedSteps &order) {
    for (const Lane &lane : order.steps.lanes.lanes)
      laneSteps_ += lane.steps.size();
  }

  static bool isExact(const Judged &judged, const ArenaFault &fault) {
    return fault.isStale || llvm::is_contained(judged.exact, fault.victim) ||
           !llvm::is_contained(judged.access.inexact, fault.victim);
  }

  void refutePlan(Judged &judged, const ArenaFault &fault) {
    judged.isUnsound = true;
    lower(verdicts_.arenaSound, Verdict::No);
    report(judged, fault);
  }

  // Of one execution: it can show that a plan is wrong, and nothing else.
  void judgeRun(Judged &judged, llvm::ArrayRef<ArenaFault> faults) {
    for (const ArenaFault &fault : faults)
      if (isExact(judged, fault))
        refutePlan(judged, fault);
  }

  void judge(Judged &judged, const ArenaFault &fault) {
    AccessRecord &access = judged.access;
    if (isExact(judged, fault) && judged.isPlainOrder)
      return refutePlan(judged, fault);
    std::string victim = nameOf(access.program, fault.victim);
    lower(verdicts_.arenaSound, Verdict::NotEstablished);
    addReason(access, judged.isPlainOrder
                          ? "how much of '" + victim + "' its writes define"
                          : "whether '" + victim + "' and '" +
                                nameOf(access.program, fault.culprit) + SameBytesAtTheSameTime);
  }

  // What threads of one statement do to each other is asked of the recorder.
  void noteShared(const AccessProgram &program, const Judged &judged) {
    for (const AccessNode &node : program.nodes)
      for (const Access &made : node.accesses)
        if (made.sharesElements) {
          lower(verdicts_.hazardFree, Verdict::NotEstablished);
          addOnce(judged.access.notOrdered, "whether threads touch the same elements in " +
                                                placedName(judged, made.buffer, node.stmt));
        }
  }

  // `hazards`: what is missing if threads keep to no elements of their own.
  void judgeHazards(Judged &judged, const StepHazards &steps, llvm::ArrayRef<HazardFault> hazards) {
    if (steps.isFree())
      return;
    lower(verdicts_.hazardFree, steps.isFound() ? Verdict::No : Verdict::NotEstablished);
    for (const HazardFault &fault : steps.found) {
      report(judged, fault);
      // Two buffers that are accessed at the same time must not share bytes, fenced or not.
      judged.isUnsound |= fault.first != fault.second && fault.kind == HazardFault::Kind::Unordered;
    }
    if (judged.isUnsound)
      lower(verdicts_.arenaSound, Verdict::No);
    if (steps.stuckAt.isValid())
      reportStuck(judged, steps);
    if (steps.isFound())
      return;
    if (hazards.empty())
      noteOpen(judged, steps);
    else
      noteOpen(judged, hazards);
  }

  void reportStuck(const Judged &judged, const StepHazards &steps) {
    TraceDiagnostic diagnostic =
        findingAt(DiagId::MemoryHazard, steps.stuckAt, judged.snapshot,
                  "a thread waits here for ever: what it waits for does not come" +
                      placeOf(steps.stuckAt, judged.snapshot));
    if (!steps.why.empty())
      diagnostic.notes.push_back({Span(), "it is not known " + steps.why});
    addFinding(judged, std::move(diagnostic));
  }

  // "'A' (line N of the IR)"
  std::string placedName(const Judged &judged, BufferId buffer, StmtId stmt) const {
    return llvm::formatv("'{0}'{1}", nameOf(judged.access.program, buffer),
                         placeOf(stmt, judged.snapshot));
  }

  void noteOpen(const Judged &judged, const StepHazards &steps) {
    for (const HazardFault &fault : llvm::ArrayRef(steps.open).take_front(MaxPairsTold)) {
      std::string first = placedName(judged, fault.first, fault.firstStmt);
      std::string second = placedName(judged, fault.second, fault.secondStmt);
      bool isFence = fault.kind == HazardFault::Kind::NotFenced;
      const char *text = isFence ? "whether what TMA and wgmma do to {1} waits for {0}, where no "
                                   "fence is between"
                                 : "what orders {0} and {1}";
      addOnce(judged.access.notOrdered, llvm::formatv(text, first, second).str());
    }
    if (!steps.why.empty())
      addOnce(judged.access.notOrdered, steps.why);
  }

  void noteOpen(const Judged &judged, llvm::ArrayRef<HazardFault> hazards) {
    noteOpen(judged, hazards, /*areUnfenced=*/false,
             "which elements each thread touches, for {0} pairs of accesses without a barrier, "
             "such as {1} and {2}");
    noteOpen(judged, hazards, /*areUnfenced=*/true,
             "whether TMA and wgmma see what threads did, for {0} pairs of accesses without a "
             "fence, such as {1} and {2}");
  }

  void noteOpen(const Judged &judged, llvm::ArrayRef<HazardFault> hazards, bool areUnfenced,
                const char *text) {
    auto isMeant = [&](const HazardFault &fault) {
      return (fault.kind == HazardFault::Kind::NotFenced) == areUnfenced;
    };
    auto first = llvm::find_if(hazards, isMeant);
    if (first != hazards.end())
      addReason(judged.access, llvm::formatv(text, llvm::count_if(hazards, isMeant),
                                             placedName(judged, first->first, first->firstStmt),
                                             placedName(judged, first->second, first->secondStmt))
                                   .str());
  }

  static void lower(Verdict &verdict, Verdict other) { verdict = allOf(verdict, other); }

  void report(const Judged &judged, const HazardFault &fault) {
    const AccessProgram &program = judged.access.program;
    std::string first = nameOf(program, fault.first);
    TraceDiagnostic diagnostic = findingAt(DiagId::MemoryHazard, fault.secondStmt, judged.snapshot,
                                           sentenceOf(fault, first, nameOf(program, fault.second)));
    diagnostic.notes.push_back(
        noteAt(fault.firstStmt, judged.snapshot, "'" + first + "' is accessed here first"));
    addFinding(judged, std::move(diagnostic));
  }

  void report(const Judged &judged, const ArenaFault &fault) {
    const AccessProgram &program = judged.access.program;
    std::string culprit = nameOf(program, fault.culprit);
    TraceDiagnostic diagnostic =
        findingAt(DiagId::ArenaUnsound, fault.stmt, judged.snapshot,
                  sentenceOf(fault, nameOf(program, fault.victim), culprit));
    if (fault.culpritStmt.isValid())
      diagnostic.notes.push_back(
          noteAt(fault.culpritStmt, judged.snapshot, "'" + culprit + "' is accessed here"));
    addFinding(judged, std::move(diagnostic));
  }

  // Blocks may have the same one.
  void addFinding(const Judged &judged, TraceDiagnostic finding) {
    if (!judged.when.empty())
      finding.notes.push_back({Span(), "this is so " + judged.when});
    bool isKnown = llvm::any_of(faults_, [&](const TraceDiagnostic &known) {
      return known.text == finding.text && known.span == finding.span;
    });
    if (!isKnown)
      faults_.push_back(std::move(finding));
  }

  TraceDiagnostic findingAt(DiagId id, StmtId stmt, const TraceSnapshot &snapshot,
                            std::string text) const {
    DiagnosticText said = noteAt(stmt, snapshot, std::move(text));
    return {tilescope::nameOf(id).str(), "error", said.span, said.text, {}, said.isCarried};
  }

  DiagnosticText noteAt(StmtId stmt, const TraceSnapshot &snapshot, std::string text) const {
    for (LineId id : *snapshot.lines)
      if (const TraceLine &line = trace_.lines[id]; stmt.isValid() && line.stmt == stmt)
        return {line.span, std::move(text), line.isCarried};
    return {{}, std::move(text)};
  }

  Trace &trace_;
  size_t nodes_ = 0;  // of all programs so far
  int64_t steps_ = 0; // of all checks so far
  size_t laneSteps_ = 0;
  // Of the snapshot before: as recorded, and what was made of it.
  SharedPart<AccessRecord> accessesBefore_, accesses_ = emptyPart<AccessRecord>();
  SharedPart<ArenaRecord> arenasBefore_, arenas_ = emptyPart<ArenaRecord>();
  SharedPart<BufferRecord> buffersBefore_, buffers_;
  TraceVerdicts verdicts_;
  std::vector<TraceDiagnostic> faults_;
};

} // namespace

void completeForeign(Trace &trace) {
  if (isForeign(trace.header))
    Completion(trace).run();
}

} // namespace tilescope
