// A pipelined loop unrolled: which statement fills and reads which slot of a tile in which step.
//
//     A, 2 versions   prologue   0        1        2     ...
//     A [0]           D0         U0       D2       U2
//     A [1]           .          D1       U1       D3
//     commits         g0         g1       g2       g3
//     waits                      g0       g1       g2
//
// A step is the prologue, one iteration of the loop, or the epilogue. Events are numbered by ticks
// in the order in which a thread makes them; a tick interval is half-open. Of many iterations the
// first and the last are kept; those between are one step of one tick, in which nothing is shown.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// A number that is known, or known from the end only: "5", "n-1".
struct StageNumber {
  int64_t value = 0;
  bool isFromEnd = false; // counted from the number of iterations (of groups), which is not known

  friend bool operator==(const StageNumber &, const StageNumber &) = default;
};
std::string toText(const StageNumber &number, const char *end = "n");

struct StageStep {
  enum class Kind : uint8_t { Prologue, Iteration, LeftOut, Epilogue };
  Kind kind = Kind::Iteration;
  StageNumber iteration; // Iteration; LeftOut: how many, or from the end if that is not known
  int64_t begin = 0;     // ticks
  int64_t end = 0;

  friend bool operator==(const StageStep &, const StageStep &) = default;
};

// One slot of a buffer.
struct StageRow {
  BufferId buffer;
  int64_t slot = 0;

  friend bool operator==(const StageRow &, const StageRow &) = default;
};

enum class StageAccess : uint8_t {
  Fill,      // a new tile
  AsyncFill, // a new tile, by a copy that is in flight until a wait
  Update,    // writes into the tile that is there
  Read,
};

struct StageEvent {
  static constexpr size_t None = SIZE_MAX;

  StageAccess access = StageAccess::Read;
  size_t row = 0;
  size_t step = 0;
  int64_t tick = 0;
  StageNumber tile;           // the iteration that it is for
  StageNumber group;          // AsyncFill: of the commit that closes it
  size_t producer = None;     // Read, Update: the event that filled the tile
  bool isConditional = false; // may not run, by a condition other than the trip count
  ProgramPoint point = 0;
  StmtId stmt;
};

// A commit or a wait.
struct StageSync {
  bool isWait = false;
  size_t step = 0;
  int64_t tick = 0;
  int64_t pending = 0;             // wait: groups that may still be in flight
  std::vector<StageNumber> groups; // commit: the one that it closes; wait: those that it ends
  ProgramPoint point = 0;
  StmtId stmt;
};

// A tile in its slot: from its first fill to its last read.
struct SlotOccupancy {
  size_t row = 0;
  StageNumber tile;
  int64_t begin = 0; // ticks
  int64_t ready = 0; // where the wait for its copies ends; `begin` if it is not copied
  int64_t end = 0;
};

struct PipelineStages {
  StmtId loop;
  std::string function;
  bool isInRole = false;  // of some of the warps: role_loops.h has what each does
  bool isPlanned = false; // from the schedule: the loop is not rewritten yet, and has no waits
  std::optional<int64_t> trips;
  std::vector<StageRow> rows;
  std::vector<StageStep> steps;
  std::vector<StageEvent> events; // by tick
  std::vector<StageSync> syncs;   // by tick
  std::vector<SlotOccupancy> occupancies;
  bool hasHidden = false; // accesses that choose their slot at run time are left out
  // Program points of the parts, half-open; empty: there is none.
  LiveInterval prologue, body, epilogue;
  std::string refusal; // why there is no picture; ""
};

// Of every pipelined loop of a snapshot, in the order of its records.
std::vector<PipelineStages> pipelineStagesOf(const TraceSnapshot &snapshot);

} // namespace tilescope
