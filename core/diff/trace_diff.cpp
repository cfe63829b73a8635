#include "core/diff/trace_diff.h"

#include "core/diff/life_comparison.h"
#include "core/support/line_edits.h"
#include "core/support/number_text.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <set>
#include <unordered_map>

namespace tilescope {

namespace {

using Placements = std::unordered_map<BufferId, const Placement *>;

Placements placementsOf(const TraceSnapshot &snapshot) {
  Placements placements;
  for (const ArenaRecord &arena : *snapshot.arenas)
    for (const Placement &placement : arena.plan.placements)
      placements.emplace(placement.id, &placement);
  return placements;
}

const Placement *find(const Placements &placements, BufferId id) {
  auto found = placements.find(id);
  return found == placements.end() ? nullptr : found->second;
}

BufferState stateOf(const BufferRecord &record, const Placement *placement,
                    const std::vector<LiveInterval> &live) {
  return {.id = record.id,
          .key = record.key,
          .name = record.name,
          .type = typeText(record),
          .scope = record.scope,
          .sourceLine = record.span.line,
          .sizeBytes = placement ? placement->sizeBytes : record.sizeBytes,
          .offsetBytes = placement ? std::optional(placement->offsetBytes) : std::nullopt,
          .versions = record.versions,
          .live = live};
}

// Symbolic sizes are in the type.
bool isResized(const BufferRecord &before, const BufferRecord &after) {
  if (!before.sizeBytes || !after.sizeBytes || before.versions < 1 || after.versions < 1)
    return before.sizeBytes.has_value() != after.sizeBytes.has_value();
  return *before.sizeBytes / before.versions != *after.sizeBytes / after.versions;
}

// Who shares bytes with whom, in terms of pairs.
class Sharing {
public:
  Sharing(const TraceSnapshot &snapshot, const std::vector<BufferPair> &pairs,
          std::optional<size_t> BufferPair::*side)
      : placements_(placementsOf(snapshot)) {
    for (size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i].*side)
        pairOf_.emplace((*snapshot.buffers)[*(pairs[i].*side)].id, i);
  }

  const Placement *placementOf(BufferId id) const { return find(placements_, id); }

  std::set<size_t> sharersOf(BufferId id) const {
    std::set<size_t> sharers;
    if (const Placement *placement = placementOf(id))
      for (BufferId other : placement->sharesWith)
        if (auto pair = pairOf_.find(other); pair != pairOf_.end())
          sharers.insert(pair->second);
    return sharers;
  }

private:
  Placements placements_;
  std::unordered_map<BufferId, size_t> pairOf_;
};

// Names of the pairs of `some` that are not in `others`.
std::vector<std::string> namesBeyond(const std::set<size_t> &some, const std::set<size_t> &others,
                                     const std::vector<std::string> &names) {
  std::vector<std::string> beyond;
  for (size_t pair : some)
    if (!others.contains(pair))
      beyond.push_back(names[pair]);
  return beyond;
}

// The elements of a shape of constants.
std::optional<int64_t> elementsOf(const std::vector<std::string> &shape) {
  int64_t elements = 1;
  for (llvm::StringRef extent : shape) {
    int64_t count = 0;
    if (extent.getAsInteger(10, count) || llvm::MulOverflow(elements, count, elements))
      return std::nullopt;
  }
  return elements;
}

bool isFlattened(const std::vector<std::string> &one, const std::vector<std::string> &other) {
  bool isFlat = one.size() == 1 || other.size() == 1;
  return isFlat && elementsOf(one) && elementsOf(one) == elementsOf(other);
}

bool isSameShape(const BufferRecord &before, const BufferRecord &after, Compilers compilers) {
  return before.shape == after.shape ||
         (compilers == Compilers::Different && isFlattened(before.shape, after.shape));
}

bool isSameLayout(const BufferRecord &before, const BufferRecord &after, Compilers compilers) {
  bool isUnknown = before.layout.empty() || after.layout.empty();
  return before.layout == after.layout || (compilers == Compilers::Different && isUnknown);
}

void noteChanges(const BufferRecord &before, const BufferRecord &after, Compilers compilers,
                 const Sharing &sharingBefore, const Sharing &sharingAfter,
                 const std::vector<std::string> &names, BufferDiff &diff) {
  std::vector<BufferChange> &changes = diff.changes;
  auto note = [&](BufferChange change, bool holds) {
    if (holds)
      changes.push_back(change);
  };
  note(BufferChange::Resized, isResized(before, after));
  note(BufferChange::VersionsChanged, before.versions != after.versions);
  note(BufferChange::TypeChanged, before.dtype != after.dtype ||
                                      !isSameShape(before, after, compilers) ||
                                      before.scope != after.scope);
  note(BufferChange::LayoutChanged, !isSameLayout(before, after, compilers));
  const Placement *from = sharingBefore.placementOf(before.id);
  const Placement *to = sharingAfter.placementOf(after.id);
  note(BufferChange::Moved, from && to && from->offsetBytes != to->offsetBytes);
  std::set<size_t> sharersBefore = sharingBefore.sharersOf(before.id);
  std::set<size_t> sharersAfter = sharingAfter.sharersOf(after.id);
  diff.nowSharesWith = namesBeyond(sharersAfter, sharersBefore, names);
  diff.noLongerSharesWith = namesBeyond(sharersBefore, sharersAfter, names);
  note(BufferChange::NowShares, !diff.nowSharesWith.empty());
  note(BufferChange::NoLongerShares, !diff.noLongerSharesWith.empty());
}

// The newer names of the pairs.
std::vector<std::string> namesOf(const std::vector<BufferPair> &pairs, const TraceSnapshot &before,
                                 const TraceSnapshot &after) {
  std::vector<std::string> names;
  names.reserve(pairs.size());
  for (const BufferPair &pair : pairs)
    names.push_back(pair.after ? (*after.buffers)[*pair.after].name
                               : (*before.buffers)[*pair.before].name);
  return names;
}

const TraceSnapshot &lastSnapshot(const Trace &trace) {
  static const TraceSnapshot Nothing;
  return trace.passes.empty() ? Nothing : trace.snapshots[trace.passes.back().snapshot];
}

KernelState stateOf(const Trace &trace, const ArenaRecord &arena) {
  KernelState state{.function = arena.function,
                    .isPreview = arena.preview,
                    .peakBytes = arena.plan.heightBytes,
                    .capacityBytes = arena.problem.capacityBytes,
                    .paddingBytes = 0,
                    .blocksPerSm = std::nullopt,
                    .registers = {}};
  for (const Placement &placement : arena.plan.placements)
    state.paddingBytes += placement.paddingBytes;
  const Target *target = targetOf(trace);
  if (target && arena.launchSized.empty()) {
    BlockDemand demand = demandOf(trace, arena, *target);
    demand.registersOfThread = 0; // what both sides of any diff know: BlocksWithoutRegisters
    state.blocksPerSm = blocksPerSm(*target, demand);
    state.registers = registerUseOf(trace, arena, *target);
  }
  return state;
}

// By name, the others in order.
std::vector<KernelDiff> diffKernels(const Trace &before, const Trace &after) {
  std::vector<KernelDiff> kernels;
  for (const ArenaRecord &arena : *lastSnapshot(after).arenas)
    kernels.push_back({std::nullopt, stateOf(after, arena)});
  std::vector<KernelState> unmatched;
  for (const ArenaRecord &arena : *lastSnapshot(before).arenas) {
    KernelState state = stateOf(before, arena);
    auto found = llvm::find_if(kernels, [&](const KernelDiff &kernel) {
      return !kernel.before && kernel.after->function == state.function;
    });
    if (found == kernels.end())
      unmatched.push_back(std::move(state));
    else
      found->before = std::move(state);
  }
  for (KernelState &state : unmatched) {
    auto found = llvm::find_if(kernels, [](const KernelDiff &kernel) { return !kernel.before; });
    if (found == kernels.end())
      kernels.push_back({std::move(state), std::nullopt});
    else
      found->before = std::move(state);
  }
  return kernels;
}

int64_t peakOf(const Trace &trace) {
  return trace.passes.empty() ? 0 : figuresOf(trace, trace.passes.size() - 1).sharedBytes;
}

std::vector<LineId> namesOf(const Trace &trace, llvm::StringMap<LineId> &ids) {
  std::vector<LineId> names;
  names.reserve(trace.passes.size());
  for (const TracePass &pass : trace.passes)
    names.push_back(ids.try_emplace(pass.name, ids.size()).first->second);
  return names;
}

// Compares texts line by line; lines that were found to be equal once are not looked at again.
class TextComparison {
public:
  TextComparison(const Trace &before, const Trace &after)
      : before_(before), after_(after), equalTo_(before.lines.size(), None) {}

  bool isEqual(const std::vector<LineId> &left, const std::vector<LineId> &right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](LineId a, LineId b) { return isEqual(a, b); });
  }

private:
  static constexpr LineId None = std::numeric_limits<LineId>::max();

  bool isEqual(LineId a, LineId b) {
    if (equalTo_[a] == b)
      return true;
    if (before_.lines[a].text != after_.lines[b].text)
      return false;
    equalTo_[a] = b;
    return true;
  }

  const Trace &before_;
  const Trace &after_;
  std::vector<LineId> equalTo_; // by line of `before`
};

} // namespace

ComparedBlocks comparedBlocks(const KernelDiff &kernel) {
  auto lacksRegisters = [](const std::optional<KernelState> &side) {
    return side && !side->registers.blocksWithRegisters;
  };
  ComparedBlocks blocks;
  blocks.areWithRegisters = !lacksRegisters(kernel.before) && !lacksRegisters(kernel.after);
  auto blocksOf = [&](const std::optional<KernelState> &side) {
    return !side                     ? std::nullopt
           : blocks.areWithRegisters ? side->registers.blocksWithRegisters
                                     : side->blocksPerSm;
  };
  blocks.before = blocksOf(kernel.before);
  blocks.after = blocksOf(kernel.after);
  return blocks;
}

std::string placeText(std::optional<int64_t> sizeBytes, std::optional<int64_t> offsetBytes) {
  if (!sizeBytes)
    return "sized at launch";
  if (!offsetBytes)
    return groupedNumber(*sizeBytes) + " bytes";
  return "[" + groupedNumber(*offsetBytes) + ", " + groupedNumber(*offsetBytes + *sizeBytes) + ")";
}

std::vector<PassDiff> alignPasses(const Trace &before, const Trace &after) {
  std::vector<PassDiff> passes;
  int64_t bytesBefore = 0, bytesAfter = 0;
  size_t x = 0, y = 0;
  auto add = [&](bool hasBefore, bool hasAfter) {
    PassDiff pass;
    if (hasBefore) {
      bytesBefore = figuresOf(before, x).sharedBytes;
      pass.before = x++;
    }
    if (hasAfter) {
      bytesAfter = figuresOf(after, y).sharedBytes;
      pass.after = y++;
    }
    pass.bytesBefore = bytesBefore;
    pass.bytesAfter = bytesAfter;
    passes.push_back(pass);
  };
  llvm::StringMap<LineId> ids;
  std::vector<LineId> namesBefore = namesOf(before, ids);
  std::vector<LineId> namesAfter = namesOf(after, ids);
  for (const LineEdit &edit : diffLines(namesBefore, namesAfter)) {
    while (x < edit.at)
      add(true, true);
    for (uint32_t i = 0; i < edit.removed; ++i)
      add(true, false);
    for (size_t i = 0; i < edit.inserted.size(); ++i)
      add(false, true);
  }
  while (x < namesBefore.size())
    add(true, true);
  return passes;
}

std::vector<BufferDiff> diffBuffers(const TraceSnapshot &before, const TraceSnapshot &after,
                                    Compilers compilers) {
  std::vector<BufferPair> pairs = matchBuffers(before, after);
  LifeComparison lives(before, after, pairs);
  Sharing sharingBefore(before, pairs, &BufferPair::before);
  Sharing sharingAfter(after, pairs, &BufferPair::after);
  std::vector<std::string> names = namesOf(pairs, before, after);
  std::vector<BufferDiff> diffs;
  for (const BufferPair &pair : pairs) {
    BufferDiff &diff = diffs.emplace_back();
    diff.matchedBy = pair.matchedBy;
    const BufferRecord *left = pair.before ? &(*before.buffers)[*pair.before] : nullptr;
    const BufferRecord *right = pair.after ? &(*after.buffers)[*pair.after] : nullptr;
    if (left)
      diff.before = stateOf(*left, sharingBefore.placementOf(left->id), lives.lifeBefore(left->id));
    if (right)
      diff.after = stateOf(*right, sharingAfter.placementOf(right->id), lives.lifeAfter(right->id));
    if (!left || !right) {
      diff.changes = {left ? BufferChange::Gone : BufferChange::New};
      continue;
    }
    noteChanges(*left, *right, compilers, sharingBefore, sharingAfter, names, diff);
    if (!lives.isSame(left->id, right->id))
      diff.changes.push_back(BufferChange::LifetimeChanged);
    if (pair.matchedBy == MatchedBy::Traits)
      diff.changes.push_back(BufferChange::Renamed);
    llvm::sort(diff.changes);
  }
  return diffs;
}

TraceDiff diffTraces(const Trace &before, const Trace &after) {
  TraceDiff diff;
  diff.passes = alignPasses(before, after);
  diff.kernels = diffKernels(before, after);
  bool isSame = isForeign(before.header) == isForeign(after.header);
  diff.buffers = diffBuffers(lastSnapshot(before), lastSnapshot(after),
                             isSame ? Compilers::Same : Compilers::Different);
  diff.peakBefore = peakOf(before);
  diff.peakAfter = peakOf(after);
  return diff;
}

TextDifference firstTextDifference(const Trace &before, const Trace &after,
                                   const std::vector<PassDiff> &passes) {
  TextComparison texts(before, after);
  TextDifference difference;
  for (size_t i = 0; i < passes.size(); ++i) {
    if (!passes[i].before || !passes[i].after)
      continue;
    const TraceSnapshot &left = before.snapshots[before.passes[*passes[i].before].snapshot];
    const TraceSnapshot &right = after.snapshots[after.passes[*passes[i].after].snapshot];
    difference.isExact &= isLoaded(left) && isLoaded(right);
    if (!isLoaded(left) || !isLoaded(right))
      continue;
    if (!texts.isEqual(*left.lines, *right.lines)) {
      difference.pass = i;
      return difference;
    }
  }
  return difference;
}

// flat table
const char *nameOf(BufferChange change) {
  switch (change) {
  case BufferChange::New:
    return "new";
  case BufferChange::Gone:
    return "gone";
  case BufferChange::Resized:
    return "resized";
  case BufferChange::VersionsChanged:
    return "versions changed";
  case BufferChange::TypeChanged:
    return "type changed";
  case BufferChange::LayoutChanged:
    return "layout changed";
  case BufferChange::Moved:
    return "moved";
  case BufferChange::LifetimeChanged:
    return "lifetime changed";
  case BufferChange::Renamed:
    return "renamed";
  case BufferChange::NowShares:
    return "now shares";
  case BufferChange::NoLongerShares:
    return "no longer shares";
  }
  return "";
}

std::string toText(const std::vector<BufferChange> &changes) {
  if (changes.empty())
    return "same";
  std::vector<std::string> names;
  names.reserve(changes.size());
  for (BufferChange change : changes)
    names.emplace_back(nameOf(change));
  return llvm::join(names, ", ");
}

// ": live [1, 10) -> [0, 31)"; "": other statements, at the same points.
static std::string livesText(const BufferDiff &buffer) {
  auto textOf = [](const std::vector<LiveInterval> &live) {
    constexpr size_t Most = 3;
    std::vector<std::string> intervals;
    for (const LiveInterval &interval : llvm::ArrayRef(live).take_front(Most))
      intervals.push_back(llvm::formatv("[{0}, {1})", interval.begin, interval.end));
    return live.empty() ? "never" : llvm::join(intervals, " ") + (live.size() > Most ? " ..." : "");
  };
  if (!buffer.before || !buffer.after || buffer.before->live == buffer.after->live)
    return "";
  return ": live " + textOf(buffer.before->live) + " -> " + textOf(buffer.after->live);
}

std::string toText(const BufferDiff &buffer) {
  if (buffer.changes.empty())
    return toText(buffer.changes);
  std::vector<std::string> texts;
  for (BufferChange change : buffer.changes) {
    std::string text = nameOf(change);
    if (change == BufferChange::NowShares)
      text += " with " + llvm::join(buffer.nowSharesWith, " and ");
    if (change == BufferChange::LifetimeChanged)
      text += livesText(buffer);
    if (change == BufferChange::NoLongerShares)
      text += " with " + llvm::join(buffer.noLongerSharesWith, " and ");
    texts.push_back(std::move(text));
  }
  return llvm::join(texts, ", ");
}

} // namespace tilescope
