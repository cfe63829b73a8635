#include "core/stages/pipeline_stages.h"

#include "core/stages/flat_accesses.h"
#include "core/stages/loop_unroller.h"
#include "core/stages/role_loops.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

std::string toText(const StageNumber &number, const char *end) {
  if (!number.isFromEnd)
    return number.value < 0 ? "?" : std::to_string(number.value);
  std::string text = end;
  if (number.value != 0)
    text += (number.value > 0 ? "+" : "") + std::to_string(number.value);
  return text;
}

namespace {

// For all loops of a snapshot together; see LoopUnroller.
constexpr int64_t MaxEffort = 200'000;

struct FlatRecord {
  const AccessRecord *accesses;
  FlatAccesses flat;
};

// The parts of loops that stand outside of them.
struct LoopParts {
  const FlatLoop *loop = nullptr;
  LiveInterval prologue, epilogue;
};

bool holds(const LiveInterval &points, ProgramPoint point) {
  return points.begin <= point && point < points.end;
}

bool versions(const PipelineRecord &record, BufferId id) {
  return llvm::any_of(record.versions, [&](const auto &entry) { return entry.first == id; });
}

// Fills of what the loop versions, commits, waits and barriers right before it.
LiveInterval prologueOf(const FlatAccesses &flat, const FlatLoop &loop,
                        const PipelineRecord &record, llvm::ArrayRef<LiveInterval> otherLoops) {
  auto belongs = [&](ProgramPoint point) {
    const AccessNode &node = *flat.leaves[point].node;
    return llvm::none_of(otherLoops, [&](const LiveInterval &o) { return holds(o, point); }) &&
           llvm::all_of(node.accesses, [&](const Access &access) {
             return access.kind == AccessKind::Write && versions(record, access.buffer);
           });
  };
  LiveInterval points{loop.points.begin, loop.points.begin};
  while (points.begin > loop.scope.begin && belongs(points.begin - 1))
    --points.begin;
  while (points.begin < points.end &&
         flat.leaves[points.begin].node->kind != AccessNode::Kind::Leaf)
    ++points.begin;
  return points;
}

// The last iterations, where they are written out behind the loop.
LiveInterval epilogueOf(const FlatAccesses &flat, const FlatLoop &loop,
                        const PipelineRecord &record, llvm::ArrayRef<LiveInterval> taken) {
  auto belongs = [&](ProgramPoint point) {
    const AccessNode &node = *flat.leaves[point].node;
    if (llvm::any_of(taken, [&](const LiveInterval &other) { return holds(other, point); }))
      return false;
    return node.accesses.empty() || llvm::any_of(node.accesses, [&](const Access &access) {
             return versions(record, access.buffer);
           });
  };
  LiveInterval points{loop.points.end, loop.points.end};
  while (points.end < loop.scope.end && belongs(points.end))
    ++points.end;
  while (points.begin < points.end &&
         flat.leaves[points.end - 1].node->kind != AccessNode::Kind::Leaf)
    --points.end;
  return points;
}

const FlatRecord *findLoop(const std::vector<FlatRecord> &records, StmtId stmt,
                           const FlatLoop *&loop) {
  for (const FlatRecord &record : records)
    for (const FlatLoop &candidate : record.flat.loops)
      if (candidate.node->stmt == stmt) {
        loop = &candidate;
        return &record;
      }
  return nullptr;
}

// Why there is nothing to unroll; "": there is.
std::string refusalOf(const PipelineRecord &record, const FlatRecord *accesses) {
  if (!accesses)
    return "the loop touches no shared memory";
  if (record.versions.empty() && record.schedule.empty())
    return "the loop is not planned yet";
  return "";
}

} // namespace

std::vector<PipelineStages> pipelineStagesOf(const TraceSnapshot &snapshot) {
  std::vector<FlatRecord> flats;
  for (const AccessRecord &record : *snapshot.accesses)
    flats.push_back({&record, flatten(record.program)});

  const std::vector<PipelineRecord> &records = *snapshot.pipelines;
  std::vector<const FlatLoop *> loops(records.size());
  std::vector<const FlatRecord *> owners(records.size());
  std::map<const FlatRecord *, std::vector<LiveInterval>> taken;
  for (size_t i = 0; i != records.size(); ++i) {
    owners[i] = findLoop(flats, records[i].loop, loops[i]);
    if (owners[i])
      taken[owners[i]].push_back(loops[i]->points);
  }

  std::vector<PipelineStages> all(records.size());
  for (size_t i = 0; i != records.size(); ++i) {
    all[i].loop = records[i].loop;
    all[i].refusal = refusalOf(records[i], owners[i]);
    if (!owners[i])
      continue;
    all[i].isInRole = isInRole(owners[i]->accesses->program, records[i].loop);
    if (all[i].isInRole && all[i].refusal.empty())
      all[i].refusal = "its warps have roles: 'tilescope show stages' lists what each role does";
    all[i].function = owners[i]->accesses->function;
    all[i].body = loops[i]->points;
    all[i].isPlanned = !records[i].schedule.empty();
    if (!all[i].isPlanned && all[i].refusal.empty())
      all[i].prologue = prologueOf(owners[i]->flat, *loops[i], records[i], taken[owners[i]]);
  }
  for (size_t i = 0; i != records.size(); ++i)
    if (all[i].refusal.empty())
      taken[owners[i]].push_back(all[i].prologue);
  int64_t effort = MaxEffort;
  for (size_t i = 0; i != records.size(); ++i) {
    if (!all[i].refusal.empty())
      continue;
    if (!all[i].isPlanned)
      all[i].epilogue = epilogueOf(owners[i]->flat, *loops[i], records[i], taken[owners[i]]);
    LoopUnroller(owners[i]->flat, *loops[i], records[i], all[i], effort).run();
  }
  return all;
}

} // namespace tilescope
