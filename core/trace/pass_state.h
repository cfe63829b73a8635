// The state of a kernel after one pass, joined once: what declarations, accesses, lifetimes, plan,
// launch and text say of each function and each buffer. Whoever reads it looks no names up.
//
//     TraceSnapshot                            PassState
//       buffers    by id                         FacetState: one FunctionState a function
//       accesses   by function name       =>       accesses, arena, demand
//       arenas     by function name                one SharedBuffer a shared buffer
//       lines      by statement                  FunctionText: program points and loops in words
//
// Facets that a pass left alone are joined once for all passes that share them.
#pragma once

#include "core/target/occupancy.h"
#include "core/trace/buffer_hues.h"
#include "core/trace/trace_queries.h"

#include <unordered_map>

namespace tilescope {

// What the facets of a function say of one of its shared buffers; nullptr: nothing.
struct SharedBuffer {
  BufferId id;
  const BufferRecord *declaration = nullptr;
  const AccessBuffer *accessed = nullptr;
  const BufferLifetime *lifetime = nullptr;
  const ArenaBuffer *inArena = nullptr;
  const Placement *placement = nullptr;
  const LaunchSizedBuffer *launchSized = nullptr;

  int hueDegrees = 0;       // 0: it is not declared
  std::string type() const; // see typeText; "": it is not declared
};

struct FunctionState {
  std::string name;
  const AccessRecord *accesses = nullptr; // nullptr: it touches no shared memory
  // With the plan, and the certificate that was proved of it. nullptr: no dynamic shared memory.
  const ArenaRecord *arena = nullptr;
  std::optional<BlockDemand> demand; // of `arena`; nullopt: the target is not known
  std::vector<SharedBuffer> buffers; // as accesses name them, then what only the arena names
  std::unordered_map<BufferId, size_t> indices; // into `buffers`

  // nullptr: it has no such shared buffer.
  const SharedBuffer *find(BufferId id) const;
  std::string nameOf(BufferId id) const; // in the arena; "?": it is not there
};

// Of the whole compile, as far as the state after a pass depends on it.
struct CompileFacts {
  const Target *target = nullptr; // nullptr: one that this program does not know
  int64_t capacityBytes = 0;
  std::vector<LaunchRecord> launches;
  std::map<std::string, int64_t> registers;  // as registersOf
  std::map<std::string, int64_t> spillBytes; // of the same kernels
  BufferHues hues;
  bool isForeign = false; // another compiler's

  static CompileFacts of(const Trace &trace);
};

// Most passes leave most facets as they are.
bool haveSameFacets(const TraceSnapshot &a, const TraceSnapshot &b);

// Without text: may be made and read on another thread than the one that has the trace.
class FacetState {
public:
  FacetState(CompileFacts compile, const TraceSnapshot &snapshot);
  FacetState(const FacetState &) = delete;
  FacetState &operator=(const FacetState &) = delete;

  const CompileFacts &compile() const { return compile_; }
  // Without lines.
  const TraceSnapshot &parts() const { return parts_; }
  // Those with shared memory, in the order in which the facets name them.
  const std::vector<FunctionState> &functions() const { return functions_; }
  // nullptr: it has no shared memory.
  const FunctionState *find(llvm::StringRef function) const;
  // Of any buffer; nullptr: it is not declared.
  const BufferRecord *declaration(BufferId id) const { return declarations_.find(id); }
  int hueOf(BufferId id) const; // 0: it is not declared

private:
  void addAccesses(const AccessRecord &record);
  void addArena(const ArenaRecord &record);
  SharedBuffer &bufferOf(FunctionState &function, BufferId id) const;

  CompileFacts compile_;
  TraceSnapshot parts_;
  BufferTable declarations_;
  std::vector<FunctionState> functions_;
  std::unordered_map<std::string, size_t> indices_; // of functions
};

struct TracePoint {
  StmtId stmt;
  std::string text; // first IR line of the statement, without indentation
  KernelLine sourceLine;
};

// A loop over points [begin, end), which is not empty.
struct TraceLoop {
  ProgramPoint begin = 0;
  ProgramPoint end = 0;
  int depth = 0; // 0: outermost
  StmtId stmt;
  std::string text;
  KernelLine sourceLine;
};

// Empty of a function without accesses.
struct FunctionText {
  std::vector<TracePoint> points; // by program point
  // By program point: the line of the IR, from 1. Roles may stand in another order than as lanes.
  std::vector<uint32_t> irLines;
  std::vector<TraceLoop> loops; // outer before inner ones, else in program order
};

class PassState {
public:
  // `pass` is an index into the passes of the trace, of which there is one; the last if it is too
  // large. The trace outlives it.
  PassState(const Trace &trace, size_t pass);
  // With facets that were joined before, if they are those of the pass.
  PassState(const Trace &trace, size_t pass, std::shared_ptr<const FacetState> facets);
  PassState(const PassState &) = delete;
  PassState &operator=(const PassState &) = delete;

  // Whether it is what the trace now says of that pass.
  bool isOf(size_t pass) const;
  const Trace &trace() const { return trace_; }
  size_t pass() const { return pass_; }
  const std::string &place() const { return place_; } // see passPlace
  const TraceSnapshot &snapshot() const { return snapshot_; }
  const std::shared_ptr<const FacetState> &facets() const { return facets_; }
  const std::vector<FunctionState> &functions() const { return facets_->functions(); }
  const FunctionText &textOf(const FunctionState &function) const;
  // The first line that a statement printed, counted from 0; nullopt: it printed none.
  std::optional<uint32_t> lineOf(StmtId stmt) const;
  const TraceLine *firstLineOf(StmtId stmt) const; // nullptr: it printed none

private:
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  using LineOfStmt = std::unordered_map<StmtId, uint32_t>;

  void readLines();
  TracePoint pointOf(StmtId stmt) const;
  FunctionText readText(const AccessProgram &program) const;

  const Trace &trace_;
  size_t pass_;
  std::string place_;
  TraceSnapshot snapshot_; // keeps its parts, also where the trace grows
  std::shared_ptr<const FacetState> facets_;
  LineOfStmt lineOfStmt_;
  std::vector<FunctionText> texts_; // as functions()
};

} // namespace tilescope
