#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

std::vector<llvm::StringRef> sourceLinesOf(const Trace &trace) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(trace.header.fileText).split(lines, '\n');
  std::vector<llvm::StringRef> trimmed;
  for (llvm::StringRef line : lines)
    trimmed.push_back(line.trim());
  return trimmed;
}

namespace {

constexpr const char *FirstOfName = "#1";

} // namespace

std::string passPlace(const Trace &trace, size_t pass) {
  const std::string &name = trace.passes[pass].name;
  auto earlier = llvm::count_if(llvm::ArrayRef(trace.passes).take_front(pass),
                                [&](const TracePass &other) { return other.name == name; });
  return earlier == 0 ? name : name + "#" + std::to_string(earlier + 1);
}

std::optional<size_t> passOfPlace(const Trace &trace, llvm::StringRef place) {
  if (const TracePass *last = trace.findPass(place))
    return last - trace.passes.data();
  place.consume_back(FirstOfName);
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    if (passPlace(trace, pass) == place)
      return pass;
  return std::nullopt;
}

std::string placeToFind(const Trace &trace, size_t pass) {
  std::string place = passPlace(trace, pass);
  return passOfPlace(trace, place) == pass ? place : place + FirstOfName;
}

bool isLoaded(const TraceSnapshot &snapshot) {
  bool isLoaded = snapshot.lines != emptyPart<LineId>();
#define FACET(Type, member) isLoaded |= snapshot.member != emptyPart<Type>();
#include "core/facets/facets.def"
  return isLoaded;
}

const AccessRecord *accessesOf(const TraceSnapshot &snapshot, llvm::StringRef function) {
  for (const AccessRecord &record : *snapshot.accesses)
    if (record.function == function)
      return &record;
  return nullptr;
}

const BufferRecord *recordOf(const TraceSnapshot &snapshot, BufferId id) {
  auto found =
      llvm::find_if(*snapshot.buffers, [&](const BufferRecord &record) { return record.id == id; });
  return found == snapshot.buffers->end() ? nullptr : &*found;
}

BufferTable::BufferTable(SharedPart<BufferRecord> buffers) : buffers_(std::move(buffers)) {
  positions_.reserve(buffers_->size());
  for (const auto &[position, record] : llvm::enumerate(*buffers_))
    positions_.try_emplace(record.id, position);
}

const BufferRecord *BufferTable::find(BufferId id) const {
  auto found = positions_.find(id);
  return found == positions_.end() ? nullptr : &(*buffers_)[found->second];
}

const Target *targetOf(const Trace &trace) {
  llvm::Expected<const Target *> target = findTarget(trace.header.target);
  if (target)
    return *target;
  llvm::consumeError(target.takeError());
  return nullptr;
}

std::string typeText(const BufferRecord &buffer) {
  std::string type = buffer.dtype + " (" + llvm::join(buffer.shape, ", ") + ")";
  return buffer.versions > 1 ? type + " x" + std::to_string(buffer.versions) : type;
}

std::map<std::string, int64_t> registersOf(const Trace &trace) {
  std::map<std::string, int64_t> registers;
  if (trace.device)
    for (const KernelResources &kernel : trace.device->kernels)
      registers[kernel.kernel] = kernel.registers;
  return registers;
}

std::map<std::string, int64_t> spillBytesOf(const Trace &trace) {
  std::map<std::string, int64_t> spillBytes;
  if (trace.device)
    for (const KernelResources &kernel : trace.device->kernels)
      spillBytes[kernel.kernel] = kernel.spillBytes();
  return spillBytes;
}

BlockDemand demandOf(llvm::ArrayRef<LaunchRecord> launches,
                     const std::map<std::string, int64_t> &registers, const ArenaRecord &arena,
                     const Target &target) {
  BlockDemand demand;
  demand.dynamicBytes = arena.plan.heightBytes;
  if (arena.problem.capacityBytes > 0 && arena.problem.capacityBytes < target.sharedBytesPerBlock)
    demand.staticBytes = target.sharedBytesPerBlock - arena.problem.capacityBytes;
  for (const LaunchRecord &launch : launches)
    if (launch.kernel == arena.function)
      demand.threads = launch.threads;
  if (auto known = registers.find(arena.function); known != registers.end())
    demand.registersOfThread = known->second;
  return demand;
}

std::optional<std::map<std::string, int64_t>> plannedOffsets(const Trace &trace) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes.back().snapshot];
  std::map<BufferId, std::string> names;
  for (const BufferRecord &buffer : *snapshot.buffers)
    names[buffer.id] = toString(buffer.key);
  std::map<std::string, int64_t> offsets;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (arena.preview)
      return std::nullopt;
    for (const Placement &placement : arena.plan.placements)
      if (auto name = names.find(placement.id); name != names.end())
        offsets[name->second] = placement.offsetBytes;
  }
  return offsets;
}

namespace {

// By how much more is live at a point than before it, sorted by point. A point for each number
// where points are not much more than lives.
std::vector<std::pair<ProgramPoint, int64_t>> liveChanges(const ArenaProblem &problem) {
  std::vector<std::pair<ProgramPoint, int64_t>> changes;
  ProgramPoint end = 0;
  for (const ArenaBuffer &buffer : problem.buffers)
    for (const LiveInterval &interval : buffer.live) {
      changes.emplace_back(interval.begin, buffer.sizeBytes);
      changes.emplace_back(interval.end, -buffer.sizeBytes);
      end = std::max(end, interval.end);
    }
  if (static_cast<size_t>(end) > 2 * changes.size()) {
    llvm::sort(changes);
    for (size_t i = 1; i < changes.size(); ++i)
      if (changes[i].first == changes[i - 1].first) {
        changes[i].second += changes[i - 1].second;
        changes[i - 1].second = 0;
      }
    return changes;
  }
  std::vector<std::pair<ProgramPoint, int64_t>> byPoint(static_cast<size_t>(end) + 1);
  for (ProgramPoint point = 0; point <= end; ++point)
    byPoint[point].first = point;
  for (const auto &[point, bytes] : changes)
    byPoint[point].second += bytes;
  return byPoint;
}

} // namespace

ProgramPoint peakPoint(const ArenaRecord &arena) {
  if (arena.plan.certificate.kind == ProofKind::LiveAtPoint)
    return arena.plan.certificate.point;
  ProgramPoint most = 0;
  int64_t bytes = 0, mostBytes = 0;
  for (const auto &[point, change] : liveChanges(arena.problem)) {
    bytes += change;
    if (bytes > mostBytes)
      most = point;
    mostBytes = std::max(mostBytes, bytes);
  }
  return most;
}

std::shared_ptr<const DeviceListing> deviceOf(const Trace &trace) {
  if (trace.device || trace.codeLanguage != PtxLanguage)
    return trace.device;
  DeviceListing nothing;
  nothing.noSass = "no SASS: it was not recorded";
  return std::make_shared<const DeviceListing>(std::move(nothing));
}

bool contains(const std::vector<LiveInterval> &intervals, ProgramPoint point) {
  return llvm::any_of(intervals, [&](const LiveInterval &interval) {
    return interval.begin <= point && point < interval.end;
  });
}

} // namespace tilescope
