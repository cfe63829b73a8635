#include "core/trace/trace_limits.h"

#include "core/access/bank_passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tilescope {

namespace {

constexpr int64_t MaxFigure = int64_t(1) << 44;
constexpr int64_t MaxCount = 1 << 16;
constexpr ProgramPoint MaxPoints = 1 << 20;
// More than a kernel has; what one costs grows with those around it.
constexpr size_t MaxBuffers = 1 << 18;
constexpr size_t MaxPipelines = 256;
constexpr size_t MaxLaunchSized = 256;
constexpr size_t MaxTreeDepth = 512;
constexpr int MaxPassDepth = 256;
constexpr size_t MaxWarps = 64;
constexpr uint64_t MaxTextBytes = uint64_t(1) << 26;

bool isFigure(int64_t figure) { return 0 <= figure && figure < MaxFigure; }
bool isCount(int64_t count) { return 0 <= count && count <= MaxCount; }
bool isPoint(ProgramPoint point) { return 0 <= point && point < MaxPoints; }

bool isInterval(const LiveInterval &interval) {
  return isPoint(interval.begin) && interval.begin < interval.end && interval.end <= MaxPoints;
}

bool isLife(const std::vector<LiveInterval> &live) {
  ProgramPoint end = 0;
  for (const LiveInterval &interval : live) {
    if (!isInterval(interval) || interval.begin < end)
      return false;
    end = interval.end;
  }
  return true;
}

// ---- Buffers and accesses -----------------------------------------------------------------------

bool areWarps(const std::vector<std::vector<int64_t>> &warps) {
  return warps.size() <= MaxWarps &&
         llvm::all_of(warps, [](const auto &lanes) { return areLaneRuns(lanes); });
}

bool isSensible(const BankRecord &bank) {
  return isFigure(bank.laneBytes) && isFigure(bank.passes) && isFigure(bank.leastPasses) &&
         areWarps(bank.warps);
}

bool isSensible(const SectorRecord &sectors) {
  return isFigure(sectors.laneBytes) && isFigure(sectors.sectors) &&
         isFigure(sectors.leastSectors) && isFigure(sectors.lines) && areWarps(sectors.warps);
}

bool isSensible(const BufferRecord &buffer) {
  return isCount(buffer.versions) && buffer.sizeBytes.value_or(0) >= 0 &&
         (!isShared(buffer.scope) || isFigure(buffer.sizeBytes.value_or(0))) &&
         isFigure(buffer.offsetBytes.value_or(0)) && isFigure(buffer.registers) &&
         llvm::all_of(buffer.banks, [](const BankRecord &bank) { return isSensible(bank); }) &&
         llvm::all_of(buffer.linear,
                      [](const LinearRecord &one) { return isFigure(one.laneBytes); }) &&
         arePlaces(buffer.places) &&
         llvm::all_of(buffer.sectors, [](const SectorRecord &one) { return isSensible(one); });
}

bool isTree(const AccessProgram &program) {
  if (program.nodes.empty())
    return true;
  std::vector<bool> seen(program.nodes.size());
  std::vector<std::pair<uint32_t, size_t>> open{{program.root, 0}};
  while (!open.empty()) {
    auto [node, depth] = open.back();
    open.pop_back();
    if (node >= seen.size() || seen[node] || depth > MaxTreeDepth)
      return false;
    seen[node] = true;
    for (uint32_t child : program.nodes[node].children)
      open.emplace_back(child, depth + 1);
  }
  return !llvm::is_contained(seen, false);
}

bool isSensible(const BufferLifetime &lifetime) {
  return isLife(lifetime.intervals) && llvm::all_of(lifetime.inFlight, isInterval) &&
         llvm::all_of(lifetime.defs, isPoint) && llvm::all_of(lifetime.uses, isPoint);
}

bool isSensible(const AccessRecord &access) {
  return access.program.nodes.size() <= static_cast<size_t>(MaxPoints) &&
         llvm::all_of(access.program.nodes,
                      [](const AccessNode &node) { return isCount(node.guardDistance); }) &&
         llvm::all_of(access.program.buffers,
                      [](const AccessBuffer &buffer) { return isCount(buffer.versions); }) &&
         llvm::all_of(access.lifetimes.buffers,
                      [](const BufferLifetime &lifetime) { return isSensible(lifetime); });
}

// ---- Arenas -------------------------------------------------------------------------------------

bool isSensible(const ArenaBuffer &buffer) {
  return isFigure(buffer.sizeBytes) && isFigure(buffer.strideBytes) && buffer.alignmentBytes > 0 &&
         isFigure(buffer.alignmentBytes) && buffer.versions > 0 && isCount(buffer.versions) &&
         isLife(buffer.live) && isFigure(buffer.pinnedOffset.value_or(0));
}

bool isSensible(const Placement &placement) {
  return isFigure(placement.offsetBytes) && isFigure(placement.sizeBytes) &&
         isFigure(placement.paddingBytes);
}

bool isSensible(const LaunchSizedBuffer &buffer) {
  return isCount(buffer.versions) && isCount(buffer.region) && isLife(buffer.live);
}

bool isSensible(const ArenaRecord &arena) {
  const ArenaPlan &plan = arena.plan;
  auto isFine = [](const auto &part) { return isSensible(part); };
  return isCount(static_cast<int64_t>(arena.problem.buffers.size())) &&
         isCount(static_cast<int64_t>(plan.placements.size())) &&
         arena.launchSized.size() <= MaxLaunchSized && isFigure(arena.problem.capacityBytes) &&
         isFigure(plan.heightBytes) && isFigure(plan.certificate.boundBytes) &&
         isPoint(plan.certificate.point) && llvm::all_of(arena.problem.buffers, isFine) &&
         llvm::all_of(plan.placements, isFine) && llvm::all_of(arena.launchSized, isFine);
}

// ---- The rest -----------------------------------------------------------------------------------

bool isSensible(const PipelineRecord &pipeline) {
  return isCount(pipeline.numStages) &&
         llvm::all_of(pipeline.versions, [](const auto &entry) { return isCount(entry.second); });
}

bool isSensible(const LaunchRecord &launch) {
  return isCount(launch.threads) && isCount(launch.minBlocks) &&
         isFigure(launch.staticSharedBytes) && llvm::all_of(launch.cluster, isCount) &&
         llvm::all_of(launch.tensorMaps,
                      [](const LaunchTensorMap &map) {
                        return isCount(map.swizzleBytes) && llvm::all_of(map.box, isCount);
                      }) &&
         llvm::all_of(launch.roleRegisters, [](const RoleRegisters &role) {
           return isCount(role.threads) && isCount(role.registers);
         });
}

bool isSensible(const StepTouch &touch, const BlockSteps &block) {
  int64_t end = -1;
  for (size_t at = 0; at + 1 < touch.bytes.size(); at += 2) {
    if (touch.bytes[at] <= end || touch.bytes[at + 1] <= touch.bytes[at])
      return false;
    end = touch.bytes[at + 1];
  }
  return touch.bytes.size() % 2 == 0 && end <= block.bytes && isCount(touch.slot);
}

bool isIndex(int64_t index, size_t size) {
  return 0 <= index && static_cast<uint64_t>(index) < size;
}

// How many ranges the steps touch; nullopt: one of them names what there is not.
std::optional<size_t> stepRangesOf(const BlockSteps &block) {
  size_t ranges = 0;
  for (size_t step = 0; step != block.steps.size(); ++step) {
    const std::vector<int64_t> &numbers = block.steps[step];
    if (numbers.empty() || !isIndex(numbers[0], block.statements.size()) ||
        numbers.size() < 1 + block.statementOf(step).loops.size())
      return std::nullopt;
    for (int64_t touch : block.touchesOf(step)) {
      if (!isIndex(touch, block.touches.size()))
        return std::nullopt;
      ranges += block.touches[static_cast<size_t>(touch)].rangeCount();
    }
    if (ranges > MostStepRanges)
      return std::nullopt;
  }
  return ranges;
}

bool isSensible(const BlockSteps &block) {
  return isFigure(block.block) && isFigure(block.bytes) && block.steps.size() <= MostSteps &&
         llvm::all_of(block.touches,
                      [&](const StepTouch &touch) { return isSensible(touch, block); }) &&
         llvm::all_of(block.statements,
                      [](const auto &one) { return one.loops.size() <= MaxTreeDepth; }) &&
         stepRangesOf(block).has_value();
}

template <typename T> bool areSensible(const std::vector<T> &records) {
  return llvm::all_of(records, [](const T &record) { return isSensible(record); });
}

} // namespace

const char *senselessness(const std::vector<BufferRecord> &buffers) {
  bool isFine = buffers.size() <= MaxBuffers && areSensible(buffers);
  return isFine ? nullptr : "a buffer with senseless figures";
}

const char *senselessness(const std::vector<AccessRecord> &accesses) {
  for (const AccessRecord &access : accesses)
    if (!isTree(access.program))
      return "an access program that is no tree, or too deep";
  return areSensible(accesses) ? nullptr : "accesses with senseless figures";
}

const char *senselessness(const std::vector<ArenaRecord> &arenas) {
  return areSensible(arenas) ? nullptr : "an arena with senseless figures";
}

const char *senselessness(const std::vector<PipelineRecord> &pipelines) {
  bool isFine = pipelines.size() <= MaxPipelines && areSensible(pipelines);
  return isFine ? nullptr : "a pipeline with senseless figures";
}

const char *senselessness(const std::vector<LaunchRecord> &launches) {
  return areSensible(launches) ? nullptr : "a launch with senseless figures";
}

const char *senselessness(const ExecutionRecord &execution) {
  bool isFine = execution.blocks.size() <= MostSteppedLaunches && areSensible(execution.blocks);
  return isFine ? nullptr : "an execution with steps that make no sense";
}

const char *senselessness(const TracePass &pass) {
  PassFigures figures = pass.figures.value_or(PassFigures());
  bool isFine = isFigure(figures.linesAdded) && isFigure(figures.linesRemoved) &&
                isFigure(figures.sharedBytes) && isFigure(pass.wallMicroseconds) &&
                isFigure(pass.irBytes) && 0 <= pass.depth && pass.depth <= MaxPassDepth;
  return isFine ? nullptr : "a pass with senseless figures";
}

const char *senselessness(const TraceHeader &header) {
  return isFigure(header.capacityBytes) ? nullptr : "a capacity that makes no sense";
}

const char *senselessness(const std::vector<LineId> &snapshot, const LineTable &lines) {
  uint64_t bytes = 0;
  for (LineId line : snapshot)
    bytes += lines[line].text.size() + 1;
  return bytes <= MaxTextBytes ? nullptr : "a snapshot with more text than can be shown";
}

} // namespace tilescope
