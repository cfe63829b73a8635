// A trace of any size, by seed. It is made pass by pass and written as a compile would write it, so
// that it may be larger than memory.
//
// Buffers take turns in slots of the arena, so that the plan is valid: window w of the program
// points belongs to the buffer w mod `TurnsPerSlot` of each slot, which lives inside of it.
//
//   bytes ^ |  b2  | b3    | b2   |  b3   |     slot 1
//         | | b0   |   b1  |  b0  |  b1   |     slot 0
//         +---------------------------------> program points
#pragma once

#include "core/trace_file/trace_writer.h"

#include <random>

namespace tilescope::test {

struct SyntheticTrace {
  size_t passes = 200;
  size_t lines = 5'000; // of IR text after each pass
  size_t buffers = 20'000;
  size_t intervals = 200'000; // of all buffers; each starts with a write and ends with a read
  size_t facetsEvery = 10;    // passes between changes of buffers, accesses and arenas
  size_t editsPerMille = 50;  // lines that a pass changes
  uint32_t seed = 1;
};

class SyntheticTraceMaker {
public:
  explicit SyntheticTraceMaker(const SyntheticTrace &shape) : shape_(shape), random_(shape.seed) {
    trace_.header.file = "synthetic.py";
    trace_.header.fileText = "# made by a generator\n";
    trace_.header.target = "sm_80";
  }

  const Trace &trace() const { return trace_; }

  // Adds a pass; snapshots before the last two are emptied.
  void addPass() {
    size_t index = trace_.passes.size();
    if (index >= 2)
      trace_.snapshots[index - 2] = TraceSnapshot();
    TraceSnapshot snapshot = index ? trace_.snapshots.back() : TraceSnapshot();
    editText(snapshot);
    if (index % shape_.facetsEvery == 0)
      replaceFacets(snapshot, index / shape_.facetsEvery);
    trace_.snapshots.push_back(std::move(snapshot));
    TracePass &pass = trace_.passes.emplace_back();
    pass.name = index ? "pass-" + std::to_string(index) : "elaborate";
    pass.status = PassStatus::Changed;
    pass.snapshot = index;
    pass.wallMicroseconds = static_cast<int64_t>(100 + below(900));
    pass.figures = {static_cast<int64_t>(index ? edits() : shape_.lines),
                    static_cast<int64_t>(index ? edits() : 0), heightBytes(), false};
  }

  void finish() {
    trace_.cuda = "// synthetic\n";
    trace_.complete = true;
  }

private:
  static constexpr size_t TurnsPerSlot = 10;
  static constexpr int64_t SlotBytes = 256;

  size_t below(size_t limit) { return random_() % limit; }
  size_t edits() const { return shape_.lines * shape_.editsPerMille / 1000; }
  size_t slots() const { return (shape_.buffers + TurnsPerSlot - 1) / TurnsPerSlot; }
  int64_t heightBytes() const { return static_cast<int64_t>(slots()) * SlotBytes; }
  size_t turns() const { return std::max<size_t>(1, shape_.intervals / shape_.buffers); }
  // Four in five lines are statements, and statements are the points of the program.
  ProgramPoint windowPoints() const {
    return std::max(4, static_cast<int>(shape_.lines * 4 / 5 / (turns() * TurnsPerSlot)));
  }
  ProgramPoint pointCount() const {
    return windowPoints() * static_cast<ProgramPoint>(turns() * TurnsPerSlot);
  }

  void editText(TraceSnapshot &snapshot) {
    std::vector<LineId> lines = *snapshot.lines;
    bool isFirst = lines.empty();
    if (isFirst)
      lines.resize(shape_.lines);
    for (size_t edit = 0; edit != (isFirst ? shape_.lines : edits()); ++edit) {
      size_t at = isFirst ? edit : below(lines.size());
      lines[at] = static_cast<LineId>(trace_.lines.size());
      trace_.lines.push_back(lineAt(at));
    }
    snapshot.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
  }

  TraceLine lineAt(size_t position) {
    auto number = static_cast<uint32_t>(position);
    TraceLine line;
    line.text = "        T.copy(A[" + std::to_string(below(100'000)) + ", k * 32], b" +
                std::to_string(below(shape_.buffers)) + "[0:128, 0:32])";
    if (position % 5 != 0)
      line.stmt = StmtId(number);
    line.span = {FileId(0), 1 + number % 400, 9, 1 + number % 400, 60};
    return line;
  }

  // The lives of a buffer after so many changes; one in twenty is new with each.
  std::vector<LiveInterval> livesOf(size_t buffer, size_t changes) {
    while (changes != 0 && (buffer + changes) % 20 != 0)
      --changes;
    std::mt19937 random(static_cast<uint32_t>(buffer * 7919 + changes));
    std::vector<LiveInterval> lives;
    int room = windowPoints() / 2;
    for (size_t turn = 0; turn != turns(); ++turn) {
      auto window = static_cast<int>(turn * TurnsPerSlot + buffer % TurnsPerSlot);
      int begin = window * windowPoints() + static_cast<int>(random() % room);
      lives.push_back({begin, begin + 2 + static_cast<int>(random() % (room - 1))});
    }
    return lives;
  }

  void replaceFacets(TraceSnapshot &snapshot, size_t changes) {
    std::vector<BufferRecord> buffers;
    ArenaRecord arena{.function = "main", .preview = false};
    AccessRecord accesses{.function = "main"};
    accesses.program.nodes.resize(1 + static_cast<size_t>(pointCount()));
    accesses.lifetimes.pointCount = pointCount();
    for (ProgramPoint point = 0; point != pointCount(); ++point) {
      AccessNode &leaf = accesses.program.nodes[1 + static_cast<size_t>(point)];
      leaf.kind = AccessNode::Kind::Leaf;
      leaf.stmt = StmtId(static_cast<uint32_t>(point % static_cast<int>(shape_.lines)));
      accesses.program.nodes[0].children.push_back(1 + static_cast<uint32_t>(point));
    }
    for (size_t buffer = 0; buffer != shape_.buffers; ++buffer)
      addBuffer(buffer, livesOf(buffer, changes), buffers, accesses, arena);
    arena.plan.heightBytes = heightBytes();
    snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
    snapshot.accesses = std::make_shared<const std::vector<AccessRecord>>(1, std::move(accesses));
    snapshot.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, std::move(arena));
  }

  void addBuffer(size_t index, std::vector<LiveInterval> lives, std::vector<BufferRecord> &buffers,
                 AccessRecord &accesses, ArenaRecord &arena) {
    BufferId id(static_cast<uint32_t>(index));
    std::string name = "b" + std::to_string(index);
    auto size = static_cast<int64_t>(64 + 16 * (index * 31 % 13));
    BufferRecord &record = buffers.emplace_back();
    record.id = id;
    record.key = {"main", name, 0, ""};
    record.name = name;
    record.dtype = "float16";
    record.shape = {std::to_string(size / 2)};
    record.scope = BufferScope::SharedDynamic;
    record.sizeBytes = size;
    record.offsetBytes = static_cast<int64_t>(index / TurnsPerSlot) * SlotBytes;
    accesses.program.buffers.push_back({id, name, 1});
    BufferLifetime &lifetime = accesses.lifetimes.buffers.emplace_back();
    lifetime.buffer = id;
    for (const LiveInterval &live : lives) {
      lifetime.defs.push_back(live.begin);
      lifetime.uses.push_back(live.end - 1);
      addAccess(accesses, live.begin, id, AccessKind::Write);
      addAccess(accesses, live.end - 1, id, AccessKind::Read);
    }
    lifetime.intervals = lives;
    arena.plan.placements.push_back({.id = id,
                                     .offsetBytes = *record.offsetBytes,
                                     .sizeBytes = size,
                                     .reason = PlacementReason::ReusesBytes});
    arena.problem.buffers.push_back(
        {.id = id, .name = name, .sizeBytes = size, .strideBytes = size, .live = std::move(lives)});
  }

  static void addAccess(AccessRecord &accesses, ProgramPoint point, BufferId buffer,
                        AccessKind kind) {
    AccessNode &leaf = accesses.program.nodes[1 + static_cast<size_t>(point)];
    leaf.accesses.push_back({.buffer = buffer, .kind = kind, .full = kind == AccessKind::Write});
  }

  SyntheticTrace shape_;
  std::mt19937 random_;
  Trace trace_;
};

// Writes at least `leastBytes`, with more passes than the shape says if need be.
inline llvm::Error writeSyntheticTrace(const SyntheticTrace &shape, const std::string &path,
                                       uint64_t leastBytes = 0) {
  llvm::Expected<std::unique_ptr<TraceWriter>> writer = TraceWriter::open(path);
  if (!writer)
    return writer.takeError();
  SyntheticTraceMaker maker(shape);
  (*writer)->writeHeader(maker.trace().header);
  for (size_t pass = 0; pass < shape.passes || (*writer)->bytesWritten() < leastBytes; ++pass) {
    maker.addPass();
    (*writer)->writePass(maker.trace(), pass);
  }
  maker.finish();
  return (*writer)->close(maker.trace());
}

} // namespace tilescope::test
