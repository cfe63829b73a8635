// What is open in a viewer: what panels may read besides the selection.
#pragma once

#include "core/target/device_listing.h"
#include "core/trace/trace.h"
#include "core/views/history_model.h"
#include "core/views/hit_counts.h"
#include "core/views/peak_arguments.h"

#include <map>

namespace tilescope {

// What was asked of a live kernel; the trace holds what the last compile used.
struct Requested {
  // Name and value, as TraceHeader has them.
  using Values = std::vector<std::pair<std::string, std::string>>;
  Values arguments;
  Values passOptions;
  std::string target;
  std::string planFor; // "height" or "occupancy"
  std::string function = {};
  Values edits = {}; // patches of the IR: what each is called, its text

  friend bool operator==(const Requested &, const Requested &) = default;
};

// An instance that the kernel file lists.
struct Preset {
  std::string label; // "matmul --set M=1024"
  Requested requested;
};

// Edits of the IR between the passes of a live kernel, kept as patches.
enum class EditState : uint8_t {
  Synced,  // there are none: the IR is what the passes make
  Patched, // carried out
  Conflict // one of them does not fit, or the checks refuse what it makes
};

struct Edits {
  std::vector<std::string> places; // where there is one; as patch files call them
  EditState state = EditState::Synced;
  std::string refused; // the place of the one in conflict; "": none
};

struct Document {
  const Trace *trace = nullptr; // nullptr: nothing is open; else it has at least one pass
  const Trace *other = nullptr; // what it is compared with; nullptr: nothing
  // Changes whenever a trace is replaced or grows. Views are cached by it, the pass, and what else
  // they show.
  uint64_t revision = 0;
  // Facets, without text, of states of a large trace that the user may step to soon.
  std::vector<TraceSnapshot> ahead;
  // Where a query is found in such a trace, so far; null: nothing was counted yet.
  std::shared_ptr<const CountedHits> counted;
  // What nvcc makes of the CUDA of `trace`; null: nobody wants it, or it is being made.
  std::shared_ptr<const DeviceListing> listing;
  // What other arguments of a live kernel would do; null: as `listing`.
  std::shared_ptr<const PeakTrials> trials;
  // What is known of the commits of the kernel's file; null: nobody wants it, or nothing is yet.
  std::shared_ptr<const KernelHistory> history;
  std::string file;      // that is open; "": unknown
  std::string line;      // that opens it as it is now: see Workspace::open
  std::string otherFile; // of `other`
  std::string comparing; // revision that is compiled to be compared with; "": none
  std::string message;   // why nothing is open, or what of it could not be read; "": all is well

  bool isLive = false;      // compiled here, so that arguments and IR can be changed
  bool isCompiling = false; // the trace is that of the compile before
  bool isStale = false;     // the last compile made no trace: this one is of a compile before it
  Requested requested;
  std::vector<Preset> presets; // of a live kernel: what its file lists, with what else is asked now
  std::vector<Preset> kernels; // of a live kernel: those of its file, by name
  std::map<std::string, std::string> optionHelp; // by the names of TraceHeader::passOptions
  Edits edits;
  std::string stoppedBefore; // the pass before which the passes of a live kernel stop; "": they run
};

} // namespace tilescope
