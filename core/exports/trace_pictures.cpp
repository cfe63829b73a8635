// From the state after a pass to what our pictures draw.
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

void addText(const FunctionText &text, std::vector<PointLabel> &labels,
             std::vector<PointLoop> &loops) {
  for (const TracePoint &point : text.points)
    labels.push_back({point.sourceLine, point.text});
  for (const TraceLoop &loop : text.loops) {
    if (loop.end - loop.begin < 2)
      continue; // a bracket around one statement tells nothing
    loops.push_back(
        {loop.begin, loop.end, loop.depth, lineText("line ", loop.sourceLine, ": ") + loop.text});
  }
}

} // namespace

std::vector<OutsideBox> outsideOf(const FacetState &state, llvm::StringRef function,
                                  const ArenaRecord *arena) {
  std::vector<OutsideBox> boxes;
  int columns = 0;
  for (const BufferRecord &record : *state.parts().buffers)
    if (record.scope == BufferScope::SharedStatic && record.sizeBytes &&
        record.key.function == function)
      boxes.push_back({record.id,
                       record.name,
                       "static, " + kibText(*record.sizeBytes),
                       state.hueOf(record.id),
                       *record.sizeBytes,
                       columns++,
                       {}});
  if (!arena)
    return boxes;
  std::vector<const LaunchSizedBuffer *> sorted;
  sorted.reserve(arena->launchSized.size());
  for (const LaunchSizedBuffer &buffer : arena->launchSized)
    sorted.push_back(&buffer);
  llvm::stable_sort(sorted, [](const LaunchSizedBuffer *a, const LaunchSizedBuffer *b) {
    return a->region < b->region;
  });
  // Regions of a corrupt trace may be any number: they count from 0 here.
  for (size_t i = 0; i != sorted.size(); ++i) {
    if (i > 0 && sorted[i]->region != sorted[i - 1]->region)
      ++columns;
    boxes.push_back({sorted[i]->id, sorted[i]->name, "sized at launch", state.hueOf(sorted[i]->id),
                     0, columns, sorted[i]->live});
  }
  return boxes;
}

ArenaPicture arenaPictureOf(const PassState &state, const FunctionState &function) {
  const ArenaRecord &arena = *function.arena;
  ArenaPicture picture;
  picture.title = arena.function + (arena.preview ? " (preview)" : "");
  picture.problem = arena.problem;
  picture.plan = arena.plan;
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    const SharedBuffer &shared = *function.find(buffer.id);
    picture.buffers.push_back({shared.type(), shared.hueDegrees});
  }
  if (const Target *target = state.facets()->compile().target)
    picture.steps = occupancySteps(*target, *function.demand);
  picture.outside = outsideOf(*state.facets(), arena.function, &arena);
  addText(state.textOf(function), picture.labels, picture.loops);
  return picture;
}

LifetimesPicture lifetimesPictureOf(const PassState &state, const FunctionState &function) {
  LifetimesPicture picture;
  picture.title = function.name;
  for (const BufferLifetime &lifetime : function.accesses->lifetimes.buffers) {
    const SharedBuffer &shared = *function.find(lifetime.buffer);
    PictureLane &lane = picture.lanes.emplace_back();
    lane.hueDegrees = shared.hueDegrees;
    lane.live = lifetime.intervals;
    lane.inFlight = lifetime.inFlight;
    lane.defs = lifetime.defs;
    lane.uses = lifetime.uses;
    if (shared.accessed)
      lane.name = shared.accessed->name;
  }
  addText(state.textOf(function), picture.labels, picture.loops);
  return picture;
}

StagesPicture stagesPictureOf(const FacetState &state, PipelineStages stages) {
  StagesPicture picture;
  for (const StageRow &row : stages.rows) {
    const BufferRecord *record = state.declaration(row.buffer);
    picture.rows.push_back({record ? record->name : "?", state.hueOf(row.buffer)});
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
