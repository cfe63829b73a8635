#include "core/diff/compile_diff.h"

#include "core/support/number_text.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

struct ReasonInfo {
  const char *name;
  const char *text;
};

constexpr ReasonInfo Reasons[] = {
#define REASON(Name, name, text) {name, text},
#include "core/diff/diff_reasons.def"
};

const ArenaRecord *arenaOf(const Trace &trace, const std::optional<KernelState> &kernel) {
  if (!kernel || trace.passes.empty())
    return nullptr;
  for (const ArenaRecord &arena : *trace.snapshots[trace.passes.back().snapshot].arenas)
    if (arena.function == kernel->function)
      return &arena;
  return nullptr;
}

bool isShared(const std::optional<BufferState> &state) { return state && isShared(state->scope); }

// A buffer in registers is renamed or new whenever code around it changes.
bool isOfInterest(const BufferDiff &buffer) {
  return isShared(buffer.before) || isShared(buffer.after);
}

// A preview says nothing of a plan.
bool isPlannedOnce(const KernelDiff &kernel) {
  return kernel.before && kernel.after && kernel.before->isPreview != kernel.after->isPreview;
}

class ReasonSet {
public:
  explicit ReasonSet(const std::vector<DiffReason> &reasons)
      : reasons_(reasons.begin(), reasons.end()) {}

  bool has(DiffReason reason) const { return reasons_.contains(reason); }

private:
  std::set<DiffReason> reasons_;
};

class ReasonCollector {
public:
  explicit ReasonCollector(const CompileDiff &diff) : diff_(diff) {}

  std::vector<DiffReason> collect() {
    for (const FunctionDiff &function : diff_.functions)
      compareKernels(function.kernel);
    for (const BufferDiff &buffer : diff_.buffers)
      for (BufferChange change : buffer.changes)
        reasons_.insert(reasonOf(change));
    compareSoundness();
    if (diff_.scope == DiffScope::Whole)
      compareCode();
    note(DiffReason::Settings, !diff_.settings.empty());
    note(DiffReason::Ir, !diff_.firstIrDifference.empty());
    note(DiffReason::Cuda, !diff_.cuda.isSameCode());
    return {reasons_.begin(), reasons_.end()};
  }

private:
  void note(DiffReason reason, bool holds) {
    if (holds)
      reasons_.insert(reason);
  }

  void compareKernels(const KernelDiff &kernel) {
    note(DiffReason::OverCapacity, kernel.after && !kernel.after->fits());
    note(DiffReason::WasOverCapacity, kernel.before && !kernel.before->fits());
    if (isPlannedOnce(kernel))
      return note(DiffReason::NotCompared, true);
    note(DiffReason::PeakGrew, kernel.deltaBytes() > 0);
    note(DiffReason::PeakShrank, kernel.deltaBytes() < 0);
    if (ComparedBlocks blocks = comparedBlocks(kernel); blocks.before && blocks.after) {
      note(DiffReason::OccupancyFell, *blocks.after < *blocks.before);
      note(DiffReason::OccupancyRose, *blocks.after > *blocks.before);
    }
    if (kernel.before && kernel.after)
      compareRegisters(kernel.before->registers, kernel.after->registers);
  }

  void compareRegisters(const RegisterUse &before, const RegisterUse &after) {
    if (!before.isKnown() || !after.isKnown())
      return;
    note(DiffReason::SpillsGrew, after.spillBytes > before.spillBytes);
    note(DiffReason::SpillsShrank, after.spillBytes < before.spillBytes);
    note(DiffReason::Registers, after.registersOfThread != before.registersOfThread);
  }

  static DiffReason reasonOf(BufferChange change) {
    switch (change) {
    case BufferChange::Moved:
      return DiffReason::Moved;
    case BufferChange::LifetimeChanged:
      return DiffReason::Lifetimes;
    case BufferChange::NowShares:
    case BufferChange::NoLongerShares:
      return DiffReason::Sharing;
    default:
      return DiffReason::Buffers;
    }
  }

  void compareSoundness() {
    note(DiffReason::Unsound, !diff_.codeAfter.isSound);
    note(DiffReason::WasUnsound, !diff_.codeBefore.isSound);
    for (const VerdictDiff &verdict : diff_.verdicts)
      note(verdict.isFall() ? DiffReason::VerdictFell : DiffReason::VerdictRose, true);
  }

  void compareCode() {
    const CodeFacts &before = diff_.codeBefore;
    const CodeFacts &after = diff_.codeAfter;
    note(DiffReason::Launch, before.hasOtherLaunches(after));
    bool isAlike = before.pipelines.has_value() == after.pipelines.has_value();
    note(DiffReason::Pipeline, isAlike && before.pipelines != after.pipelines);
    note(DiffReason::Barriers, before.barriers != after.barriers);
    note(DiffReason::MoreBarriers, isAlike && before.barriers < after.barriers);
    note(DiffReason::FewerBarriers, isAlike && before.barriers > after.barriers);
    note(DiffReason::Copies, before.copies != after.copies);
  }

  const CompileDiff &diff_;
  std::set<DiffReason> reasons_;
};

std::string blocksText(const KernelDiff &kernel) {
  ComparedBlocks blocks = comparedBlocks(kernel);
  if (blocks.before == blocks.after || !blocks.before || !blocks.after)
    return "";
  return llvm::formatv("{0} -> {1} blocks/SM{2}", *blocks.before, *blocks.after,
                       blocks.areWithRegisters ? " with registers" : "");
}

std::string spillsText(const KernelDiff &kernel) {
  if (!kernel.before || !kernel.after)
    return "";
  const RegisterUse &before = kernel.before->registers, &after = kernel.after->registers;
  if (!before.isKnown() || !after.isKnown() || before.spillBytes == after.spillBytes)
    return "";
  return llvm::formatv("{0} -> {1} bytes spilled", groupedNumber(before.spillBytes),
                       groupedNumber(after.spillBytes));
}

std::string bytesText(const KernelDiff &kernel) {
  if (kernel.deltaBytes() == 0)
    return "";
  auto bytes = [](const std::optional<KernelState> &state) {
    return groupedNumber(state ? state->peakBytes : 0);
  };
  return llvm::formatv("peak {0} -> {1} bytes ({2})", bytes(kernel.before), bytes(kernel.after),
                       signedNumber(kernel.deltaBytes()));
}

// "buffers: 2 versions changed, 1 moved"
std::string buffersText(const CompileDiff &diff) {
  std::map<BufferChange, int64_t> counts;
  for (const BufferDiff &buffer : diff.buffers)
    for (BufferChange change : buffer.changes)
      ++counts[change];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto &[change, count] : counts)
    parts.push_back(llvm::formatv("{0} {1}", count, nameOf(change)));
  return parts.empty() ? "" : "buffers: " + llvm::join(parts, ", ");
}

// Of something that should not be, before and after.
const char *stateText(bool was, bool is, const char *now, const char *still, const char *ended) {
  if (!was && !is)
    return nullptr;
  return is ? (was ? still : now) : ended;
}

// What is or was wrong, and the figures.
std::vector<std::string> headlinesOf(const CompileDiff &diff, const ReasonSet &reasons) {
  std::vector<std::string> parts;
  if (const char *text =
          stateText(reasons.has(DiffReason::WasUnsound), reasons.has(DiffReason::Unsound),
                    textOf(DiffReason::Unsound), "is as unsound as before", "is sound now"))
    parts.emplace_back(text);
  if (const char *text =
          stateText(reasons.has(DiffReason::WasOverCapacity), reasons.has(DiffReason::OverCapacity),
                    textOf(DiffReason::OverCapacity), "still does not fit into shared memory",
                    "fits into shared memory now"))
    parts.emplace_back(text);
  if (parts.empty())
    for (const VerdictDiff &verdict : diff.verdicts)
      parts.push_back(shortTextOf(verdict));
  if (reasons.has(DiffReason::NotCompared)) {
    parts.emplace_back("was not compared: shared memory is planned on one side only");
    return parts;
  }
  size_t words = parts.size();
  for (const FunctionDiff &function : diff.functions)
    for (std::string text :
         {bytesText(function.kernel), blocksText(function.kernel), spillsText(function.kernel)})
      if (!text.empty())
        parts.push_back(std::move(text));
  if (parts.size() == words)
    parts.emplace_back("the same bytes");
  if (reasons.has(DiffReason::Barriers))
    parts.push_back(
        llvm::formatv("barriers {0} -> {1}", diff.codeBefore.barriers, diff.codeAfter.barriers));
  return parts;
}

} // namespace

const char *nameOf(DiffReason reason) { return Reasons[static_cast<size_t>(reason)].name; }

const char *textOf(DiffReason reason) { return Reasons[static_cast<size_t>(reason)].text; }

std::optional<DiffReason> reasonNamed(llvm::StringRef name) {
  for (const auto &[index, reason] : llvm::enumerate(Reasons))
    if (name == reason.name)
      return static_cast<DiffReason>(index);
  return std::nullopt;
}

std::vector<std::string> reasonNames() {
  std::vector<std::string> names;
  for (const ReasonInfo &reason : Reasons)
    names.emplace_back(reason.name);
  return names;
}

// A pass that both have is named only if it changed the figure: with other passes between them the
// sides may have parted before it.
//
//   pass      A      B
//   plan      48     48
//   roles      -     64      <- here they part: only B has it
//   simplify  48     64
static std::optional<BytesDifference>
firstBytesDifference(const TraceDiff &traces, const Trace &before, const Trace &after) {
  const PassDiff *parting = nullptr; // of those that differ in a row, the first
  for (const PassDiff &pass : traces.passes) {
    if (pass.deltaBytes() == 0)
      parting = nullptr;
    else if (!parting)
      parting = &pass;
    if (parting && pass.before && pass.after)
      break;
  }
  if (!parting)
    return std::nullopt;
  return BytesDifference{parting->after ? passPlace(after, *parting->after)
                                        : passPlace(before, *parting->before),
                         parting->bytesBefore, parting->bytesAfter,
                         parting->before && parting->after ? DiffSides::Both
                         : parting->after                  ? DiffSides::After
                                                           : DiffSides::Before};
}

// A plan alone has bytes in place of elements, no layouts, and times of its own.
static void dropWhatPlansLack(bool isPlanBefore, std::vector<BufferDiff> &buffers) {
  for (BufferDiff &buffer : buffers) {
    if (std::optional<BufferState> &plan = isPlanBefore ? buffer.before : buffer.after)
      plan->type.clear();
    std::erase_if(buffer.changes, [](BufferChange change) {
      return change == BufferChange::TypeChanged || change == BufferChange::LayoutChanged ||
             change == BufferChange::LifetimeChanged;
    });
  }
}

// What a side that does not reach the CUDA, or never had any, can say.
static CodeFacts soundnessOf(const Trace &trace) {
  CodeFacts whole = codeFactsOf(trace), facts;
  facts.isSound = whole.isSound;
  facts.faults = std::move(whole.faults);
  return facts;
}

static CompileDiff diffCompiles(const Trace &before, const Trace &after, DiffScope scope) {
  TraceDiff traces = diffTraces(before, after);
  CompileDiff diff;
  diff.scope = scope;
  if (scope == DiffScope::PlanAlone)
    dropWhatPlansLack(isPlanAlone(before.header), traces.buffers);
  else
    diff.settings = diffSettings(before.header, after.header);
  for (KernelDiff &kernel : traces.kernels) {
    std::vector<PeakPayer> payers =
        peakPayers(arenaOf(before, kernel.before), arenaOf(after, kernel.after), traces.buffers);
    diff.functions.push_back({std::move(kernel), std::move(payers)});
  }
  TextDifference difference = firstTextDifference(before, after, traces.passes);
  if (difference.pass)
    diff.firstIrDifference = passPlace(after, *traces.passes[*difference.pass].after);
  diff.firstBytesDifference = firstBytesDifference(traces, before, after);
  llvm::copy_if(traces.buffers, std::back_inserter(diff.buffers), isOfInterest);
  bool isWhole = scope == DiffScope::Whole;
  if (isWhole)
    diff.verdicts = diffVerdicts(before, after);
  diff.codeBefore = isWhole ? codeFactsOf(before) : soundnessOf(before);
  diff.codeAfter = isWhole ? codeFactsOf(after) : soundnessOf(after);
  if (isWhole)
    diff.cuda = diffCuda(before.cuda, after.cuda);
  diff.cuda.isPtx = before.codeLanguage == PtxLanguage && after.codeLanguage == PtxLanguage;
  return diff;
}

CompileDiff diffCompiles(const Trace &before, const Trace &after) {
  bool isOnePlan = isPlanAlone(before.header) != isPlanAlone(after.header);
  bool areBoth = !before.passes.empty() && !after.passes.empty();
  return diffCompiles(before, after,
                      isOnePlan && areBoth ? DiffScope::PlanAlone : DiffScope::Whole);
}

CompileDiff diffUpToFailure(const Trace &before, const Trace &after) {
  auto upTo = [](const Trace &trace, std::optional<size_t> pass) {
    Trace begun = trace;
    begun.passes.resize(pass ? *pass + 1 : 0);
    return begun;
  };
  PassDiff last;
  for (const PassDiff &pass : alignPasses(before, after))
    if (pass.before && pass.after && after.passes[*pass.after].status != PassStatus::Failed)
      last = pass;
  CompileDiff diff =
      diffCompiles(upTo(before, last.before), upTo(after, last.after), DiffScope::UpToFailure);
  if (last.after)
    diff.upTo = passPlace(after, *last.after);
  return diff;
}

CompileDiff newCompile(const Trace &after) {
  CompileDiff diff = diffCompiles(Trace(), after);
  diff.isNew = true;
  diff.settings.clear();
  return diff;
}

CompileDiff goneCompile(const Trace &before) {
  CompileDiff diff = diffCompiles(before, Trace());
  diff.isGone = true;
  diff.settings.clear();
  return diff;
}

std::vector<DiffReason> reasonsOf(const CompileDiff &diff) {
  return ReasonCollector(diff).collect();
}

DiffVerdict verdictOf(const std::vector<DiffReason> &reasons) {
  using enum DiffReason;
  ReasonSet set(reasons);
  // What matters more comes first. Barriers of other pipelines count other things.
  const std::pair<bool, DiffVerdict> rules[] = {
      {set.has(Failed), DiffVerdict::Failed},
      {set.has(NotCompared), DiffVerdict::NotCompared},
      {set.has(Unsound) && !set.has(WasUnsound), DiffVerdict::Worse},
      {set.has(OverCapacity) && !set.has(WasOverCapacity), DiffVerdict::Worse},
      {set.has(VerdictFell), DiffVerdict::Worse},
      {set.has(Fixed), DiffVerdict::Better},
      {set.has(WasUnsound) && !set.has(Unsound), DiffVerdict::Better},
      {set.has(WasOverCapacity) && !set.has(OverCapacity), DiffVerdict::Better},
      {set.has(VerdictRose), DiffVerdict::Better},
      {set.has(OccupancyFell), DiffVerdict::Worse},
      {set.has(OccupancyRose), DiffVerdict::Better},
      {set.has(SpillsGrew), DiffVerdict::Worse},
      {set.has(SpillsShrank), DiffVerdict::Better},
      {set.has(MoreBarriers) && !set.has(Pipeline), DiffVerdict::Worse},
      {set.has(FewerBarriers) && !set.has(Pipeline), DiffVerdict::Better},
      {set.has(PeakGrew), DiffVerdict::Larger},
      {set.has(PeakShrank), DiffVerdict::Smaller},
  };
  for (const auto &[holds, verdict] : rules)
    if (holds)
      return verdict;
  bool isSame = llvm::all_of(reasons, [](DiffReason reason) {
    return reason == Unsound || reason == WasUnsound || reason == OverCapacity ||
           reason == WasOverCapacity;
  });
  return isSame ? DiffVerdict::Same : DiffVerdict::Changed;
}

const char *nameOf(DiffVerdict verdict) {
  constexpr const char *Names[] = {"same",   "changed", "smaller",      "better",
                                   "larger", "worse",   "not-compared", "failed"};
  return Names[static_cast<size_t>(verdict)];
}

std::string figuresTextOf(const CompileDiff &diff) {
  return llvm::join(headlinesOf(diff, ReasonSet(reasonsOf(diff))), ", ");
}

static std::string summaryOfCompared(const CompileDiff &diff) {
  std::vector<DiffReason> reasons = reasonsOf(diff);
  if (reasons.empty())
    return "the same";
  ReasonSet set(reasons);
  std::vector<std::string> parts = headlinesOf(diff, set);
  if (verdictOf(reasons) == DiffVerdict::Same)
    return "the same: " + parts.front();
  if (std::string buffers = buffersText(diff); !buffers.empty())
    parts.push_back(std::move(buffers));
  if (parts.size() == 1 && parts.front() == "the same bytes")
    parts.emplace_back(textOf(reasons.front()));
  return llvm::join(parts, ", ");
}

std::string summaryOf(const CompileDiff &diff) {
  bool isPlan = diff.scope == DiffScope::PlanAlone;
  return summaryOfCompared(diff) +
         (isPlan ? "; a plan alone: code and settings are not compared" : "");
}

} // namespace tilescope
