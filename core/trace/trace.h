// A trace in memory: what the recorder makes, the reader reads back, and every view reads.
// Plain structs, no IR. The file format is documented in core/trace_file/README.md.
#pragma once

#include "core/access/block_steps.h"
#include "core/codegen/cuda_source.h"
#include "core/facets/accesses.h"
#include "core/facets/arenas.h"
#include "core/facets/buffers.h"
#include "core/facets/pipelines.h"
#include "core/support/diagnostics.h"
#include "core/support/verdict.h"
#include "core/target/device_listing.h"
#include "core/trace/line_table.h"

#include <memory>
#include <string_view>

namespace tilescope {

inline constexpr int TraceMajor = 1;
inline constexpr int TraceMinor = 9;

// Of Trace::codeLanguage.
inline constexpr const char *PtxLanguage = "ptx";

struct TraceParameter {
  std::string name;
  std::string type;         // "int", "dtype", "bool", "float", "tuple", "str"
  std::string value;        // as used, a Python literal
  std::string defaultValue; // "" if it has none
  // Python literals to offer for it; empty: nothing is known. What else may be given is open.
  std::vector<std::string> choices;
};

struct TraceHeader {
  int major = TraceMajor;
  int minor = TraceMinor;
  std::string toolVersion;
  // Whose passes these are, with its version; "": Tilescope's. See foreign_trace.h.
  std::string compiler;
  std::string file;     // path as given
  std::string fileHash; // of fileText
  std::string fileText;
  std::string irText; // that was compiled and was made from `file`; "": `file` itself was compiled
  std::string function;
  std::string target;
  std::string pipeline; // pass pipeline text, with the options that were set
  int64_t capacityBytes = 0;
  std::vector<TraceParameter> parameters;
  // Of every pass of the pipeline, "PASS.OPTION", PASS as patch files call it; the type is "bool",
  // "int" or "str", the values are as in the pipeline text.
  std::vector<TraceParameter> passOptions;
  // What was asked beside arguments, as the options of `tilescope compile` are called.
  std::string planFor;  // "occupancy"; "": the default
  std::string previous; // file of the plan that was to be kept; "": none
  bool allowHazards = false;
  bool noAliases = false;
  std::vector<std::string> patches;   // files
  std::vector<std::string> libraries; // files with passes that were loaded
  std::string stopAfter;              // a place of a patch where the passes ended; "": they all ran
};

struct TraceRemark {
  std::string id;
  StmtId stmt;
  std::vector<BufferId> buffers;
  Span span;
  std::string text;

  friend bool operator==(const TraceRemark &, const TraceRemark &) = default;
};

struct DiagnosticText {
  Span span;
  std::string text;
  bool isCarried = false; // as of a TraceLine
  std::optional<DiagnosticFix> fix = std::nullopt;

  KernelLine sourceLine() const { return {span.line, isCarried}; }
  friend bool operator==(const DiagnosticText &, const DiagnosticText &) = default;
};

struct TraceDiagnostic {
  std::string id;
  std::string severity;
  Span span;
  std::string text;
  std::vector<DiagnosticText> notes;
  bool isCarried = false; // as of a TraceLine

  KernelLine sourceLine() const { return {span.line, isCarried}; }
};

// What the checkers said of a snapshot. Not established: the property that they check does not hold
// yet, the pass gave nothing to check, or they could not tell.
struct TraceVerdicts {
  Verdict verified = Verdict::NotEstablished;
  Verdict arenaSound = Verdict::NotEstablished;
  Verdict hazardFree = Verdict::NotEstablished;
};

// Parts of a snapshot that a pass left alone are shared with the snapshot before.
template <typename T> using SharedPart = std::shared_ptr<const std::vector<T>>;

template <typename T> SharedPart<T> emptyPart() {
  static const auto Empty = std::make_shared<const std::vector<T>>();
  return Empty;
}

// One snapshot: the module after a pass (index 0: as elaborated). No part is ever null.
struct TraceSnapshot {
  SharedPart<LineId> lines = emptyPart<LineId>();
#define FACET(Type, member) SharedPart<Type> member = emptyPart<Type>();
#include "core/facets/facets.def"
};

// What a pass did, in figures that are recorded with it: counting lines again would need every
// snapshot. A group did what all of its passes did.
struct PassFigures {
  int64_t linesAdded = 0;
  int64_t linesRemoved = 0;
  int64_t sharedBytes = 0; // height of the highest arena after the pass
  bool sharedIsPreview = true;

  friend bool operator==(const PassFigures &, const PassFigures &) = default;
};

enum class PassStatus : uint8_t { Changed, Unchanged, Failed };

struct TracePass {
  std::string name; // "elaborate" for snapshot 0, "emit-cuda" for the last step
  std::string options;
  int depth = 0; // nesting
  PassStatus status = PassStatus::Unchanged;
  size_t snapshot = 0; // index into Trace::snapshots of the state after this pass
  int64_t wallMicroseconds = 0;
  int64_t irBytes = 0; // of nodes and texts that it made; 0: none, or nobody recorded it
  TraceVerdicts verdicts;
  // Whether the kernel, run on the CPU, does after the pass what it does as written, and nothing
  // that is a finding. Not established: it could not be run. nullopt: nobody ran it.
  std::optional<Verdict> runsAsWritten;
  std::optional<PassFigures> figures; // nullopt: an older trace; see figuresOf
  std::vector<TraceRemark> remarks;
};

// Steps of a run on the CPU, of one block of each launch.
struct ExecutionRecord {
  size_t pass = 0; // that it was run after
  std::vector<BlockSteps> blocks;
};

struct Trace {
  TraceHeader header;
  LineTable lines;
  std::vector<TracePass> passes;
  std::vector<TraceSnapshot> snapshots;
  std::vector<TraceDiagnostic> diagnostics;
  // What tagged text says beside each line of the last snapshot: with it the text is read back as
  // the same IR. Empty: a trace that is cut off, of an older format, or without IR of ours.
  std::vector<std::string> tags;
  std::string cuda;         // "" if emission was not reached
  std::string codeLanguage; // of `cuda`: "ptx"; "": CUDA C++
  std::vector<CudaLine> cudaMap;
  std::vector<LaunchRecord> launches;
  std::shared_ptr<const DeviceListing> device; // as another compiler's was recorded; see deviceOf
  std::shared_ptr<const ExecutionRecord> execution; // null: none was recorded
  bool complete = false;                            // closed by the recorder
  // What of the file is lost or was left aside, and why; "": nothing.
  std::string recovery;

  const TracePass *findPass(std::string_view name) const; // the last of that name
};

} // namespace tilescope
