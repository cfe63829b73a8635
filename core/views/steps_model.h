// Panel `steps`: shared memory of one block as it was run: which statement wrote each byte last, in
// which step, until a step that is chosen.
//
//     step 412 of 3,120, line 31, k=3, i=1: cp_async(A_shared[k % 3, ...
//       copies to A_shared[0]: [2,048, 4,096)
//
//     bytes         written                steps        line  iteration    by
//     [0, 4,096)    A_shared[0] in flight  411 to 412   31    k=3, i=0..1  cp_async(...
//
// Steps are those of core/access/block_steps.h, counted from 0 through all launches.
#pragma once

#include "core/views/step_boxes.h"
#include "core/views/view.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Bytes of a slot of a buffer.
struct SlotBytes {
  BufferId buffer;
  int64_t slot = 0;
  std::string name;   // "A_shared[1]"; of one version "A_shared"
  int hueDegrees = 0; // 0: it is not declared
  int64_t begin = 0;  // of the first byte
  int64_t end = 0;    // behind the last
  int64_t bytes = 0;  // of these
  int64_t ranges = 0; // that they are
};

struct TouchedBytes {
  std::string how; // "reads", "writes", "copies to", "waits for"
  SlotBytes slot;
};

// What one statement wrote last, in steps that differ in the innermost of its loops alone.
struct WrittenBytes {
  SlotBytes slot;
  int64_t firstStep = 0;
  int64_t lastStep = 0;
  StmtId stmt;
  KernelLine sourceLine;
  std::string text;
  std::string iteration; // "k=3, i=0..7"; "": no loop is around it
  bool isInFlight = false;
};

struct StepsLaunch {
  std::string function;
  int64_t block = 0;
  int64_t firstStep = 0;
  int64_t stepCount = 0;
  bool isCut = false;
};

struct StepsView {
  std::string missing; // why there are no steps; "": there are
  std::string pass;    // that the kernel was run after
  std::vector<StepsLaunch> launches;
  int64_t stepCount = 0;
  int64_t launch = 0; // of the step, into `launches`
  int64_t bytes = 0;  // of its shared memory
  int64_t step = 0;
  StmtId stmt;
  KernelLine sourceLine;
  std::string text; // first line of the statement
  std::string iteration;
  std::vector<TouchedBytes> touches;
  std::vector<WrittenBytes> written; // by begin
  int64_t unwrittenBytes = 0;        // that nobody has written
};

// What the run of a trace is made of; one step of it is chosen, by Selection::step (none: the
// last).
StepsView buildSteps(const Trace &trace, const Selection &selection);
void print(const StepsView &view, llvm::raw_ostream &out);

// A step of all launches; nullopt: there is none.
struct LaunchStep {
  size_t launch = 0;
  size_t step = 0; // of it
};
std::optional<LaunchStep> launchStepOf(const ExecutionRecord &execution, int64_t step);
// Of all launches.
int64_t stepCountOf(const Trace &trace);
// Error: there is none such.
llvm::Error checkStep(const Trace &trace, int64_t step);

// "A_shared[1]"; of a buffer of one version "A_shared".
std::string slotNameOf(const BlockSteps &block, const StepTouch &touch);
// Of a buffer of one version: -1.
int64_t versionOf(const BlockSteps &block, const StepTouch &touch);
// "k=3, i=0"
std::string iterationText(const BlockSteps &block, size_t step);
// "reads K_shared[0]: [0, 8,192)"
std::string toText(const TouchedBytes &touched);
// "block 0 of matmul_kernel, run after insert-barriers: 320 steps from 0 on"
std::string launchText(const StepsView &view);
// In degrees, of the buffer of each of its touches; 0: it is not declared.
std::vector<int> touchHuesOf(const Trace &trace, const BlockSteps &block);
// The nearest step of the same launch and statement in a direction, 1 or -1.
std::optional<int64_t> nextOfStatement(const ExecutionRecord &execution, int64_t step,
                                       int direction);
// "step 412 of 3,120, line 31, k=3: cp_async(..."
std::string headingOf(const StepsView &view);

template <typename Archive> void fields(Archive &archive, SlotBytes &slot) {
  archive("buffer", slot.buffer);
  archive.always("slot", slot.slot);
  archive("name", slot.name);
  archive.always("begin", slot.begin);
  archive.always("end", slot.end);
  archive.always("bytes", slot.bytes);
  archive.always("ranges", slot.ranges);
}

template <typename Archive> void fields(Archive &archive, TouchedBytes &touched) {
  archive("how", touched.how);
  fields(archive, touched.slot);
}

template <typename Archive> void fields(Archive &archive, WrittenBytes &written) {
  fields(archive, written.slot);
  archive.always("firstStep", written.firstStep);
  archive.always("lastStep", written.lastStep);
  archive("stmt", written.stmt);
  lineFields(archive, written.sourceLine);
  archive("text", written.text);
  archive("iteration", written.iteration);
  archive("isInFlight", written.isInFlight);
}

template <typename Archive> void fields(Archive &archive, StepsLaunch &launch) {
  archive("function", launch.function);
  archive.always("block", launch.block);
  archive.always("firstStep", launch.firstStep);
  archive.always("stepCount", launch.stepCount);
  archive("isCut", launch.isCut);
}

template <typename Archive> void fields(Archive &archive, StepsView &view) {
  archive("missing", view.missing);
  archive("pass", view.pass);
  archive("launches", view.launches);
  archive.always("stepCount", view.stepCount);
  archive("launch", view.launch);
  archive("sharedBytes", view.bytes);
  archive.always("step", view.step);
  archive("stmt", view.stmt);
  lineFields(archive, view.sourceLine);
  archive("text", view.text);
  archive("iteration", view.iteration);
  archive("touches", view.touches);
  archive("written", view.written);
  archive.always("unwrittenBytes", view.unwrittenBytes);
}

} // namespace tilescope
