// Runs one pipelined loop step by step, for pipeline_stages.h.
#pragma once

#include "core/stages/flat_accesses.h"
#include "core/stages/pipeline_stages.h"

#include <deque>
#include <map>

namespace tilescope {

// Fills rows, steps, events, syncs and occupancies of `stages`, whose parts are known, or its
// refusal. All arguments outlive it. `effort` bounds what is made for all loops of a snapshot
// together, in events and in cells (a slot in a step); what this loop takes is subtracted.
class LoopUnroller {
public:
  LoopUnroller(const FlatAccesses &flat, const FlatLoop &loop, const PipelineRecord &record,
               PipelineStages &stages, int64_t &effort)
      : flat_(flat), loop_(loop), record_(record), stages_(stages), effort_(effort) {}

  void run();

private:
  static constexpr int64_t InFlight = INT64_MAX;

  // What a slot holds. Indices are those of `stages_`.
  struct SlotState {
    size_t occupancy = StageEvent::None;
    size_t producer = StageEvent::None;
    size_t step = 0; // of the fill
    size_t readStep = SIZE_MAX;
  };
  struct Group {
    StageNumber number;
    std::vector<size_t> occupancies; // whose copies it holds
  };
  struct BufferRows {
    size_t first = 0;
    int64_t count = 1;
    int64_t fills = 0;
  };
  // A leaf of the body, with how many iterations ahead it runs.
  struct BodyLeaf {
    ProgramPoint point = 0;
    int64_t order = 0;
    int64_t ahead = 0;
    int64_t group = -1; // planned: of the copies that it belongs to
    bool closesGroup = false;
  };
  // Iterations: the first `lead` and the last `tail` of `count` are shown; all, if none is left
  // out.
  struct Extent {
    int64_t count = 0, lead = 0, tail = 0;
    bool leavesOut() const { return lead + tail < count; }
  };

  bool addRows();
  bool addBody();
  bool spend(int64_t effort);
  void orderBody();
  const PipelineStmtRecord *scheduledAt(ProgramPoint point) const;
  bool chooseExtent();
  int64_t deepest() const;

  void runPrologue();
  void runIteration(int64_t iteration);
  void runPart(StageStep::Kind kind, const LiveInterval &points);
  void beginStep(StageStep::Kind kind, StageNumber iteration);
  void endStep();
  bool runsAt(size_t guard, int64_t iteration, bool &isConditional) const;

  // `copies`: the leaf is a copy of the plan, so its writes will be asynchronous.
  void runLeaf(ProgramPoint point, int64_t iteration, bool copies);
  void runBodyLeaf(const BodyLeaf &leaf, int64_t iteration);
  void read(StageEvent event);
  void write(const Access &access, StageEvent event);
  bool startsTile(const Access &access, const StageEvent &event) const;
  void commit(ProgramPoint point, StmtId stmt);
  void wait(const AccessNode &node, ProgramPoint point);
  std::optional<size_t> rowOf(const Access &access, int64_t iteration);
  StageNumber numbered(int64_t value, int64_t perIteration, int64_t before) const;
  void addSync(StageSync sync);
  size_t emit(const StageEvent &event);
  void dropHidden();

  const FlatAccesses &flat_;
  const FlatLoop &loop_;
  const PipelineRecord &record_;
  PipelineStages &stages_;
  int64_t &effort_;

  std::map<BufferId, BufferRows> buffers_;
  std::map<StmtId, const PipelineStmtRecord *> schedule_;
  std::vector<BodyLeaf> body_; // in the order in which an iteration runs it
  Extent extent_;
  std::vector<SlotState> slots_; // by row
  std::vector<size_t> open_;     // events of copies that no commit has closed; None: not shown
  std::vector<size_t> openOccupancies_; // theirs
  std::deque<Group> inFlight_;
  int64_t commits_ = 0;
  int64_t commitsBefore_ = 0; // in the prologue
  int64_t commitsPerIteration_ = 0;
  int64_t tick_ = 0;
  bool isHidden_ = false;
  bool isPastLead_ = false; // numbers count from the end, or from the true trip count
  bool hasShown_ = false;   // what runs has something to show
};

} // namespace tilescope
