// Panel `stages`: which slot of each tile holds what in which iteration of the pipelined loops.
#pragma once

#include "core/stages/pipeline_stages.h"
#include "core/trace/trace_fields.h"
#include "core/views/stages_handovers.h"
#include "core/views/stages_moment.h"
#include "core/views/stages_roles.h"
#include "core/views/view.h"

namespace tilescope {

struct StagesRow {
  BufferId buffer;
  std::string name;
  int64_t slot = 0;
  int hueDegrees = 0;
  std::vector<std::string> cells; // by step: "U0 D2"; see printLegend
};

struct StagesStep {
  std::string name;    // "prologue", "0", "n-1", "...", "epilogue"
  std::string commits; // "g0 g1"
  std::string waits;   // "g0": the groups that are waited for
};

// What an iteration does with the tiles, in program order.
struct StagesStatement {
  StmtId stmt;
  KernelLine sourceLine;
  std::string role; // "fills K_shared 2 ahead", "reads K_shared", "waits, 2 groups pending"
  std::string text; // first IR line
};

struct StageCost {
  std::string buffer;
  int64_t bytes = 0;
};

struct StagesLoop {
  PipelineStages stages; // its rows and steps are those below
  std::string text;      // first IR line of the loop
  KernelLine sourceLine;
  int64_t numStages = 0;
  std::string trips; // "32", or an expression
  std::vector<StagesRow> rows;
  std::vector<StagesStep> steps;
  std::vector<StagesStatement> statements;
  // Most bytes of shared memory that are live in the prologue, the loop and the epilogue.
  int64_t prologueBytes = 0, bodyBytes = 0, epilogueBytes = 0;
  // What one more stage would add to the tiles, where all sizes are known; buffers that another
  // loop already gives as many slots cost nothing.
  std::optional<int64_t> nextStageBytes;
  std::vector<StageCost> nextStage;
  int64_t freeBytes = 0; // below the capacity; negative: over it
};

struct StagesView {
  std::string pass;
  std::vector<StagesLoop> loops;
  std::vector<StagesRole> roles;         // of loops that stand in roles
  std::vector<StagesHandover> handovers; // of these
  std::string summary;                   // "no loop is pipelined"; "": there are loops
  std::vector<std::string> reasons;      // why there is no loop, where it is known
  std::optional<StagesMoment> moment;    // that is chosen
};

StagesView buildStages(const PassState &state);
// With the moment of the selection, if it has one of that pass.
StagesView buildStages(const Trace &trace, const Selection &selection);
void print(const StagesView &view, llvm::raw_ostream &out);

// "2 stages, 32 iterations, planned".
std::string headingOf(const StagesLoop &loop);

// "one more stage: 16 KiB, 131 KiB are free; live at most 24 KiB in the loop": what a stage costs,
// or why it costs nothing; `textOf` writes a number of bytes.
std::string bytesText(const StagesLoop &loop, std::string (*textOf)(int64_t bytes));

// Labels on an axis that are too close to be read are merged: "g0", "g1", "g2" become "g0..g2".
struct AxisLabel {
  std::string text;
  double begin = 0; // where the text starts
};
// `labels` by rising begin; `widthOf` is in the units of the axis.
std::vector<AxisLabel> mergeLabels(const std::vector<AxisLabel> &labels, double gap,
                                   llvm::function_ref<double(llvm::StringRef)> widthOf);

// What the letters of the cells mean, in one line.
extern const char *const StagesLegend;

template <typename Archive> void fields(Archive &archive, StagesRow &row) {
  archive("buffer", row.buffer);
  archive("name", row.name);
  archive.always("slot", row.slot);
  archive.always("cells", row.cells);
}

template <typename Archive> void fields(Archive &archive, StagesStep &step) {
  archive("name", step.name);
  archive("commits", step.commits);
  archive("waits", step.waits);
}

template <typename Archive> void fields(Archive &archive, StagesStatement &statement) {
  archive("stmt", statement.stmt);
  lineFields(archive, statement.sourceLine);
  archive("role", statement.role);
  archive("text", statement.text);
}

template <typename Archive> void fields(Archive &archive, StageCost &cost) {
  archive("buffer", cost.buffer);
  archive.always("bytes", cost.bytes);
}

template <typename Archive> void fields(Archive &archive, StagesLoop &loop) {
  archive("function", loop.stages.function);
  archive("loop", loop.stages.loop);
  archive("text", loop.text);
  lineFields(archive, loop.sourceLine);
  archive.always("numStages", loop.numStages);
  archive("trips", loop.trips);
  archive.always("isPlanned", loop.stages.isPlanned);
  archive("refusal", loop.stages.refusal);
  archive("steps", loop.steps);
  archive("rows", loop.rows);
  archive("statements", loop.statements);
  archive.always("prologueBytes", loop.prologueBytes);
  archive.always("bodyBytes", loop.bodyBytes);
  archive("epilogueBytes", loop.epilogueBytes);
  archive("nextStageBytes", loop.nextStageBytes);
  archive("nextStage", loop.nextStage);
  archive.always("freeBytes", loop.freeBytes);
}

template <typename Archive> void fields(Archive &archive, StagesView &view) {
  archive("pass", view.pass);
  archive.always("loops", view.loops);
  archive("roles", view.roles);
  archive("handovers", view.handovers);
  archive("summary", view.summary);
  archive("reasons", view.reasons);
  archive("moment", view.moment);
}

} // namespace tilescope
