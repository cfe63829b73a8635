// One moment of a pipelined loop: after which statement of which step, and what every slot holds
// then. Arena and Stages show the same one.
#pragma once

#include "core/trace/pass_state.h"
#include "core/trace/trace_fields.h"
#include "core/views/selection.h"
#include "core/views/view.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct StagesLoop;
struct StagesView;

struct SlotAtMoment {
  BufferId buffer;
  int64_t slot = 0;
  std::string name;
  int hueDegrees = 0;
  std::string tile; // the iteration whose tile it holds: "5", "n-1"; "": none
  bool isInFlight = false;
  // Who wrote it, as far as it is shown: line and first line of the statement, step.
  StmtId writer;
  KernelLine writerLine;
  std::string writerText;
  std::string writerStep;
};

struct StagesMoment {
  int64_t tick = 0;
  std::string step;                 // "prologue", "5", "epilogue"; "...": iterations left out
  std::vector<std::string> happens; // "copies to K_shared[1] for iteration 6"
  ProgramPoint point = -1;          // -1: nothing is shown at this tick
  StmtId stmt;
  KernelLine sourceLine;
  std::string text; // first IR line of the statement
  std::vector<SlotAtMoment> slots;
};

// Ticks of a loop; 0: it has no picture.
int64_t tickCount(const StagesLoop &loop);
// nullptr: the moment is of another pass, or the loop has no picture.
const StagesLoop *loopOf(const StagesView &view, const LoopMoment &moment, size_t pass);
// "25": a tick of the first loop that has a picture; "65:25": of that in line 65 of the kernel.
llvm::Expected<LoopMoment> momentNamed(const StagesView &view, size_t pass, llvm::StringRef text);
// So that momentNamed finds it again.
std::string nameOf(const StagesView &view, const LoopMoment &moment);
// The tick is put into the range of the loop, which has a picture after the pass.
StagesMoment momentOf(const PassState &state, const StagesLoop &loop, int64_t tick);
// The next tick in a direction, 1 or -1, at which something happens; by steps: the first of the
// next step. The same: there is none.
int64_t nextTick(const StagesLoop &loop, int64_t tick, int direction, bool bySteps);

// "iteration 5: copies to K_shared[1] for iteration 6"
std::string headingOf(const StagesMoment &moment);
// "5", "5 in flight", "free"
std::string toText(const SlotAtMoment &slot);
void print(const StagesMoment &moment, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, SlotAtMoment &slot) {
  archive("buffer", slot.buffer);
  archive.always("slot", slot.slot);
  archive("name", slot.name);
  archive("tile", slot.tile);
  archive("isInFlight", slot.isInFlight);
  archive("writer", slot.writer);
  archive("writerText", slot.writerText);
  archive("writerStep", slot.writerStep);
}

template <typename Archive> void fields(Archive &archive, StagesMoment &moment) {
  archive.always("tick", moment.tick);
  archive("step", moment.step);
  archive("happens", moment.happens);
  archive.always("point", moment.point);
  archive("stmt", moment.stmt);
  lineFields(archive, moment.sourceLine);
  archive("text", moment.text);
  archive("slots", moment.slots);
}

} // namespace tilescope
