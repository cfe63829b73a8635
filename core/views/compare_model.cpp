#include "core/views/compare_model.h"

#include "core/trace/buffer_hues.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <unordered_map>

namespace tilescope {

namespace {

std::string kernelText(const TraceHeader &header) {
  std::string text = header.file;
  if (!header.function.empty())
    text += ":" + header.function;
  return text + " for " + header.target;
}

std::string argumentsText(const TraceHeader &header) {
  std::string text;
  for (const TraceParameter &parameter : header.parameters)
    text += (text.empty() ? "" : ", ") + parameter.name + "=" + parameter.value;
  return text;
}

std::vector<SettingDiff> settingsOf(const TraceHeader &before, const TraceHeader &after) {
  std::vector<SettingDiff> settings = diffSettings(before, after);
  if (before.fileText != after.fileText)
    settings.push_back({"kernel file", "as before", "another text"});
  return settings;
}

CompareKernel kernelOf(const KernelDiff &diff) {
  CompareKernel kernel;
  const KernelState &newer = diff.after ? *diff.after : *diff.before;
  kernel.function = newer.function;
  kernel.capacityBytes = newer.capacityBytes;
  kernel.deltaBytes = diff.deltaBytes();
  kernel.isPreview =
      (diff.before && diff.before->isPreview) || (diff.after && diff.after->isPreview);
  if (diff.before) {
    kernel.bytesBefore = diff.before->peakBytes;
    kernel.blocksBefore = diff.before->blocksPerSm;
    kernel.registersBefore = diff.before->registers;
  }
  if (diff.after) {
    kernel.bytesAfter = diff.after->peakBytes;
    kernel.blocksAfter = diff.after->blocksPerSm;
    kernel.registersAfter = diff.after->registers;
  }
  return kernel;
}

// The state of a trace after its last pass.
class End {
public:
  explicit End(const Trace &trace)
      : declarations_(lastOf(trace).buffers), hues_(BufferHues::of(trace)) {
    for (const ArenaRecord &arena : *lastOf(trace).arenas) {
      for (const ArenaBuffer &buffer : arena.problem.buffers)
        names_.try_emplace(buffer.id, buffer.name);
      for (const Placement &placement : arena.plan.placements)
        placements_.try_emplace(placement.id, &placement);
    }
  }

  std::optional<CompareSide> sideOf(const std::optional<BufferState> &state) const {
    if (!state)
      return std::nullopt;
    CompareSide side;
    side.key = state->key;
    side.name = state->name;
    side.type = state->type;
    side.scope = nameOf(state->scope);
    side.sizeBytes = state->sizeBytes;
    side.offsetBytes = state->offsetBytes;
    side.versions = state->versions;
    side.live = state->live;
    if (const BufferRecord *record = declarations_.find(state->id))
      side.layout = record->layout;
    if (auto placement = placements_.find(state->id); placement != placements_.end())
      for (BufferId other : placement->second->sharesWith)
        if (auto name = names_.find(other); name != names_.end())
          side.sharesWith.push_back(name->second);
    return side;
  }

  int hueOf(const BufferState &state) const { return hues_.hueOf(state.key); }

private:
  static const TraceSnapshot &lastOf(const Trace &trace) {
    static const TraceSnapshot Nothing;
    return trace.passes.empty() ? Nothing : trace.snapshots[trace.passes.back().snapshot];
  }

  BufferTable declarations_;
  BufferHues hues_;
  std::unordered_map<BufferId, std::string> names_;
  std::unordered_map<BufferId, const Placement *> placements_;
};

bool isShared(const std::optional<BufferState> &state) { return state && isShared(state->scope); }

CompareBuffer bufferOf(const BufferDiff &diff, const End &before, const End &after) {
  CompareBuffer buffer;
  buffer.key = diff.state().key;
  buffer.name = diff.state().name;
  buffer.changes = diff.changes;
  buffer.before = before.sideOf(diff.before);
  buffer.after = after.sideOf(diff.after);
  auto bytes = [](const std::optional<CompareSide> &side) {
    return side ? side->sizeBytes.value_or(0) : 0;
  };
  // Of a corrupt trace any number.
  if (__builtin_sub_overflow(bytes(buffer.after), bytes(buffer.before), &buffer.deltaBytes))
    buffer.deltaBytes = 0;
  buffer.isShared = isShared(diff.before) || isShared(diff.after);
  buffer.hueDegrees = diff.after ? after.hueOf(*diff.after) : before.hueOf(*diff.before);
  return buffer;
}

void addBuffers(const std::vector<BufferDiff> &diffs, const End &before, const End &after,
                CompareView &view) {
  for (const BufferDiff &diff : diffs) {
    CompareBuffer buffer = bufferOf(diff, before, after);
    if (buffer.isShared || !buffer.changes.empty())
      view.buffers.push_back(std::move(buffer));
    else
      ++view.sameElsewhere;
  }
  llvm::stable_sort(view.buffers, [](const CompareBuffer &a, const CompareBuffer &b) {
    if (a.isShared != b.isShared)
      return a.isShared;
    if (a.changes.empty() != b.changes.empty())
      return b.changes.empty();
    return !a.changes.empty() && a.changes.front() < b.changes.front();
  });
}

ComparePass passOf(const PassDiff &diff, const Trace &trace, const Trace &other) {
  const TracePass &pass = diff.after ? trace.passes[*diff.after] : other.passes[*diff.before];
  return {pass.name,        pass.depth,      diff.before,      diff.after,
          diff.bytesBefore, diff.bytesAfter, diff.deltaBytes()};
}

bool isEndLoaded(const Trace &trace) {
  return trace.passes.empty() || isLoaded(trace.snapshots[trace.passes.back().snapshot]);
}

} // namespace

std::string kibDelta(int64_t bytes) {
  return bytes == 0 ? "" : (bytes > 0 ? "+" : "") + kibNumber(bytes);
}

CompareView buildCompare(const Trace &trace, const Trace &other, const Selection & /*selection*/) {
  TraceDiff diff = diffTraces(other, trace);
  CompareView view;
  view.kernelBefore = kernelText(other.header);
  view.kernelAfter = kernelText(trace.header);
  view.argumentsBefore = argumentsText(other.header);
  view.argumentsAfter = argumentsText(trace.header);
  view.settings = settingsOf(other.header, trace.header);
  view.peakBefore = diff.peakBefore;
  view.peakAfter = diff.peakAfter;
  if (isEndLoaded(trace) && isEndLoaded(other)) {
    for (const KernelDiff &kernel : diff.kernels)
      view.kernels.push_back(kernelOf(kernel));
    addBuffers(diff.buffers, End(other), End(trace), view);
  } else {
    view.missing = "the state after the last pass is not loaded: go there to compare buffers";
  }
  for (const PassDiff &pass : diff.passes)
    view.passes.push_back(passOf(pass, trace, other));
  TextDifference difference = firstTextDifference(other, trace, diff.passes);
  view.firstDifference = difference.pass;
  view.isFirstExact = difference.isExact;
  return view;
}

CompareArenas buildCompareArenas(const Trace &trace, const Trace &other) {
  auto arenaOf = [](const Trace &side) {
    if (side.passes.empty())
      return ArenaView();
    return buildArena(PassState(side, side.passes.size() - 1));
  };
  CompareArenas arenas{arenaOf(other), arenaOf(trace)};
  arenas.before.scaleBytes = arenas.after.scaleBytes =
      std::max(arenas.before.scaleBytes, arenas.after.scaleBytes);
  return arenas;
}

} // namespace tilescope
