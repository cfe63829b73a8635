// From a problem in minimalloc's format to a trace.
#include "core/check/plan_check.h"
#include "core/exports/minimalloc_csv.h"
#include "core/plan/planner.h"
#include "core/trace/trace_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <map>

namespace tilescope {

namespace {

constexpr int64_t MaxTimeKept = 100'000;
constexpr int64_t MaxVersions = 1 << 16;

// What happens at a program point.
struct Events {
  std::vector<BufferId> written;
  std::vector<BufferId> read;
};

class ProblemImport {
public:
  ProblemImport(const CsvProblem &csv, const ImportedFile &file)
      : csv_(csv), file_(file), problem_(csv.problem) {
    problem_.capacityBytes = file.capacityBytes;
    TraceHeader &header = trace_.header;
    header.file = file.path;
    header.fileText = file.text;
    header.fileHash = llvm::utohexstr(llvm::xxh3_64bits(file.text), /*LowerCase=*/true);
    header.function = file.function;
    header.capacityBytes = file.capacityBytes;
  }

  llvm::Expected<Trace> run() {
    setTimes();
    readVersions();
    TraceSnapshot &snapshot = trace_.snapshots.emplace_back();
    ArenaRecord arena = plan();
    snapshot.buffers = std::make_shared<std::vector<BufferRecord>>(declarations(arena.plan));
    snapshot.accesses = std::make_shared<std::vector<AccessRecord>>(1, accesses());
    snapshot.lines = std::make_shared<std::vector<LineId>>(std::move(lines_));
    addPass(arena);
    snapshot.arenas = std::make_shared<std::vector<ArenaRecord>>(1, std::move(arena));
    trace_.complete = true;
    for (const char *nonsense :
         {senselessness(*snapshot.buffers), senselessness(*snapshot.accesses),
          senselessness(*snapshot.arenas), senselessness(trace_.header),
          senselessness(*snapshot.lines, trace_.lines)})
      if (nonsense)
        return llvm::createStringError("'" + file_.path + "' is no trace: " + nonsense);
    return std::move(trace_);
  }

private:
  // Points are ranks in the problem; small times are worth keeping.
  void setTimes() {
    keepsTimes_ = csv_.times.empty() || csv_.times.back() <= MaxTimeKept;
    if (!keepsTimes_)
      return;
    for (ArenaBuffer &buffer : problem_.buffers) {
      for (LiveInterval &interval : buffer.live) {
        interval.begin = static_cast<ProgramPoint>(csv_.times[interval.begin]);
        interval.end = static_cast<ProgramPoint>(csv_.times[interval.end]);
      }
    }
  }

  int64_t timeOf(ProgramPoint point) const { return keepsTimes_ ? point : csv_.times[point]; }

  // Anything but a divisor of the size is passed over: the column is ours, and others may use its
  // name.
  void readVersions() {
    size_t column = llvm::find(csv_.header, "versions") - csv_.header.begin();
    for (auto [buffer, row] : llvm::zip_equal(problem_.buffers, csv_.rows)) {
      int64_t versions = 0;
      bool isNumber = column < row.size() && llvm::to_integer(row[column], versions);
      if (!isNumber || versions <= 0 || versions > MaxVersions || buffer.sizeBytes % versions != 0)
        continue;
      buffer.versions = versions;
      buffer.strideBytes = buffer.sizeBytes / versions;
    }
  }

  ArenaRecord plan() {
    ArenaRecord arena;
    arena.function = file_.function;
    std::vector<int64_t> offsets;
    for (const ArenaBuffer &buffer : problem_.buffers)
      if (buffer.pinnedOffset)
        offsets.push_back(*buffer.pinnedOffset);
    arena.preview = offsets.size() != problem_.buffers.size();
    if (arena.preview) {
      arena.unknown = {"offsets"};
      arena.plan = planArena(problem_);
    } else {
      for (ArenaBuffer &buffer : problem_.buffers)
        buffer.pinnedOffset.reset();
      arena.plan = describePlan(problem_, offsets);
      // Of one that does not hold the buffers apart, no height is proven.
      if (faultsOf(arena.plan).empty())
        arena.plan.certificate = planArena(problem_).certificate;
    }
    arena.problem = problem_;
    return arena;
  }

  // Whether it fits is a question of its own.
  std::vector<std::string> faultsOf(const ArenaPlan &plan) const {
    ArenaProblem unlimited = problem_;
    unlimited.capacityBytes = 0;
    return checkPlan(unlimited, plan);
  }

  Span spanOfRow(size_t row) const {
    return {FileId(0), csv_.rowLines[row], 1, csv_.rowLines[row], 1};
  }

  std::vector<BufferRecord> declarations(const ArenaPlan &plan) {
    std::vector<BufferRecord> records;
    for (size_t row = 0; row != problem_.buffers.size(); ++row) {
      const ArenaBuffer &buffer = problem_.buffers[row];
      BufferRecord &record = records.emplace_back();
      record.id = buffer.id;
      record.key = {file_.function, buffer.name, 0, ""};
      record.name = buffer.name;
      record.dtype = "uint8";
      record.shape = {std::to_string(buffer.strideBytes)};
      record.scope = BufferScope::SharedDynamic;
      record.versions = buffer.versions;
      record.sizeBytes = buffer.sizeBytes;
      record.offsetBytes = plan.placements[row].offsetBytes;
      record.span = spanOfRow(row);
      addLine({llvm::formatv("{0}: {1} bytes, alignment {2}, at {3}", buffer.name, buffer.sizeBytes,
                             buffer.alignmentBytes, *record.offsetBytes)
                   .str(),
               StmtId(), buffer.id, record.span});
    }
    return records;
  }

  AccessRecord accesses() {
    std::map<ProgramPoint, Events> events;
    ProgramPoint pointCount = 0;
    AccessRecord record;
    record.function = file_.function;
    for (const ArenaBuffer &buffer : problem_.buffers) {
      record.program.buffers.push_back({buffer.id, buffer.name, 1});
      for (const LiveInterval &interval : buffer.live) {
        events[interval.begin].written.push_back(buffer.id);
        if (interval.end - interval.begin > 1)
          events[interval.end - 1].read.push_back(buffer.id);
        pointCount = std::max(pointCount, interval.end);
      }
    }
    AccessNode sequence;
    for (ProgramPoint point = 0; point != pointCount; ++point)
      sequence.children.push_back(record.program.add(leaf(point, events)));
    record.program.root = record.program.add(std::move(sequence));
    record.lifetimes = computeLifetimes(record.program);
    return record;
  }

  AccessNode leaf(ProgramPoint point, const std::map<ProgramPoint, Events> &events) {
    AccessNode node;
    node.kind = AccessNode::Kind::Leaf;
    node.stmt = node.anchor = StmtId(static_cast<uint32_t>(point));
    auto found = events.find(point);
    if (found == events.end())
      return node;
    std::vector<std::string> texts;
    for (BufferId id : found->second.read) {
      node.accesses.push_back({.buffer = id, .kind = AccessKind::Read});
      texts.push_back("read " + nameOf(id));
    }
    for (BufferId id : found->second.written) {
      node.accesses.push_back({.buffer = id, .kind = AccessKind::Write, .full = true});
      texts.push_back("write " + nameOf(id));
    }
    // Of several rows none is the source.
    Span span = texts.size() == 1 ? spanOfRow(node.accesses.front().buffer.value) : Span();
    addLine({"time " + std::to_string(timeOf(point)) + ": " + llvm::join(texts, ", "), node.stmt,
             BufferId(), span});
    return node;
  }

  const std::string &nameOf(BufferId id) const { return problem_.buffers[id.value].name; }

  void addLine(TraceLine line) {
    lines_.push_back(static_cast<LineId>(trace_.lines.size()));
    trace_.lines.push_back(std::move(line));
  }

  // What is wrong with the offsets is a finding, as after a compile.
  void addPass(const ArenaRecord &arena) {
    TracePass &pass = trace_.passes.emplace_back();
    pass.name = "import";
    pass.status = PassStatus::Changed;
    pass.figures = {static_cast<int64_t>(trace_.lines.size()), 0, arena.plan.heightBytes,
                    arena.preview};
    std::vector<std::string> faults = faultsOf(arena.plan);
    pass.verdicts.arenaSound = verdictOf(faults.empty());
    for (std::string &fault : faults)
      trace_.diagnostics.push_back({"ArenaUnsound", "error", Span(), std::move(fault), {}});
  }

  const CsvProblem &csv_;
  const ImportedFile &file_;
  ArenaProblem problem_;
  bool keepsTimes_ = true;
  Trace trace_;
  std::vector<LineId> lines_;
};

} // namespace

llvm::Expected<Trace> traceOfProblem(const CsvProblem &csv, const ImportedFile &file) {
  return ProblemImport(csv, file).run();
}

} // namespace tilescope
