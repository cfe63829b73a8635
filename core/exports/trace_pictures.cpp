// From a trace to what our pictures draw.
#include "core/exports/arena_svg.h"
#include "core/exports/lifetimes_svg.h"
#include "core/exports/stages_svg.h"
#include "core/exports/timeline_svg.h"
#include "core/support/buffer_key.h"
#include "core/support/number_text.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

PictureBuffer lookOf(const TraceSnapshot &snapshot, BufferId id) {
  const BufferRecord *record = recordOf(snapshot, id);
  return record ? PictureBuffer{typeText(*record), hueDegrees(record->key)} : PictureBuffer();
}

std::vector<OccupancyStep> stepsOf(const Trace &trace, const ArenaRecord &arena) {
  const Target *target = targetOf(trace);
  if (!target)
    return {};
  BlockDemand demand = demandOf(trace, arena, *target);
  return occupancySteps(*target, demand.staticBytes, demand.threads);
}

void addPoints(const Trace &trace, const TraceSnapshot &snapshot, const AccessRecord &accesses,
               std::vector<PointLabel> &labels, std::vector<PointLoop> &loops) {
  for (const TracePoint &point : pointsOf(trace, snapshot, accesses.program))
    labels.push_back({point.sourceLine, point.text});
  for (const TraceLoop &loop : loopsOf(trace, snapshot, accesses.program)) {
    if (loop.end - loop.begin < 2)
      continue; // a bracket around one statement tells nothing
    std::string line = loop.sourceLine ? "line " + std::to_string(loop.sourceLine) + ": " : "";
    loops.push_back({loop.begin, loop.end, loop.depth, line + loop.text});
  }
}

} // namespace

std::vector<OutsideBox> outsideOf(const TraceSnapshot &snapshot, llvm::StringRef function,
                                  const ArenaRecord *arena) {
  std::vector<OutsideBox> boxes;
  int columns = 0;
  for (const BufferRecord &record : *snapshot.buffers)
    if (record.scope == BufferScope::SharedStatic && record.sizeBytes &&
        record.key.function == function)
      boxes.push_back({record.id,
                       record.name,
                       "static, " + kibText(*record.sizeBytes),
                       hueDegrees(record.key),
                       *record.sizeBytes,
                       columns++,
                       {}});
  if (!arena)
    return boxes;
  std::vector<const LaunchSizedBuffer *> sorted;
  for (const LaunchSizedBuffer &buffer : arena->launchSized)
    sorted.push_back(&buffer);
  llvm::stable_sort(sorted, [](const LaunchSizedBuffer *a, const LaunchSizedBuffer *b) {
    return a->region < b->region;
  });
  // Regions of a corrupt trace may be any number: they count from 0 here.
  for (size_t i = 0; i != sorted.size(); ++i) {
    if (i > 0 && sorted[i]->region != sorted[i - 1]->region)
      ++columns;
    boxes.push_back({sorted[i]->id, sorted[i]->name, "sized at launch",
                     lookOf(snapshot, sorted[i]->id).hueDegrees, 0, columns, sorted[i]->live});
  }
  return boxes;
}

ArenaPicture arenaPictureOf(const Trace &trace, const TraceSnapshot &snapshot,
                            const ArenaRecord &arena) {
  ArenaPicture picture;
  picture.title = arena.function + (arena.preview ? " (preview)" : "");
  picture.problem = arena.problem;
  picture.plan = arena.plan;
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    picture.buffers.push_back(lookOf(snapshot, buffer.id));
  picture.steps = stepsOf(trace, arena);
  picture.outside = outsideOf(snapshot, arena.function, &arena);
  if (const AccessRecord *accesses = accessesOf(snapshot, arena.function))
    addPoints(trace, snapshot, *accesses, picture.labels, picture.loops);
  return picture;
}

LifetimesPicture lifetimesPictureOf(const Trace &trace, const TraceSnapshot &snapshot,
                                    const AccessRecord &accesses) {
  LifetimesPicture picture;
  picture.title = accesses.function;
  for (const BufferLifetime &lifetime : accesses.lifetimes.buffers) {
    PictureLane &lane = picture.lanes.emplace_back();
    lane.hueDegrees = lookOf(snapshot, lifetime.buffer).hueDegrees;
    lane.live = lifetime.intervals;
    lane.inFlight = lifetime.inFlight;
    lane.defs = lifetime.defs;
    lane.uses = lifetime.uses;
    if (std::optional<size_t> index = indexOf(accesses.program, lifetime.buffer))
      lane.name = accesses.program.buffers[*index].name;
  }
  addPoints(trace, snapshot, accesses, picture.labels, picture.loops);
  return picture;
}

StagesPicture stagesPictureOf(const TraceSnapshot &snapshot, PipelineStages stages) {
  StagesPicture picture;
  for (const StageRow &row : stages.rows) {
    const BufferRecord *record = recordOf(snapshot, row.buffer);
    picture.rows.push_back({record ? record->name : "?", lookOf(snapshot, row.buffer).hueDegrees});
  }
  picture.stages = std::move(stages);
  return picture;
}

TimelinePicture timelinePictureOf(const Trace &trace) {
  TimelinePicture picture;
  picture.title = trace.header.file;
  if (!trace.header.function.empty())
    picture.title += ":" + trace.header.function;
  if (!trace.passes.empty())
    picture.capacityBytes = capacityAfter(trace, trace.passes.size() - 1);
  for (size_t index = 0; index != trace.passes.size(); ++index) {
    const TracePass &pass = trace.passes[index];
    PassFigures figures = figuresOf(trace, index);
    bool isGroup = firstOfGroup(trace, index) != index;
    picture.bars.push_back({pass.name, pass.depth, isGroup, pass.wallMicroseconds,
                            figures.sharedBytes, figures.sharedIsPreview});
  }
  return picture;
}

} // namespace tilescope
