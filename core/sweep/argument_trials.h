// What a kernel needs with other arguments: one argument changed at a time, then the grid of the
// two that matter most; and with its arguments as they are, but one edit of its IR. Each is
// compiled.
#pragma once

#include "core/driver/patch.h"
#include "core/driver/smaller_edits.h"
#include "core/sweep/compile_points.h"

namespace tilescope {

struct TrialRequest {
  CompileRequest compile; // as it is now; its arguments are `arguments`
  std::vector<SweepSetting> arguments;
  // Of each argument that may change all values to try, with the one that is; ascending.
  std::vector<SweepAxis> values;
  unsigned threads = 1;
};

// The arguments that differ from those of the request, by name and value.
struct ArgumentTrial {
  std::vector<SweepSetting> changed;
  SweepRow row;
};

struct EditTrial {
  SmallerEdit edit;
  std::string place; // where it is made
  Patch patch;       // that makes it
  SweepRow row;
};

struct ArgumentTrials {
  SweepRow base;
  std::vector<ArgumentTrial> single; // the values next to the one that is
  // All of the two arguments whose steps change most; empty where fewer than two change anything.
  std::vector<SweepAxis> axes;
  std::vector<ArgumentTrial> grid; // the first axis slowest
  // That lower the peak or fit more blocks, and that no argument of `single` makes as well.
  std::vector<EditTrial> edits;
};

// What solves another problem than the base (compile_points.h) or costs the same is left out of
// `single`. Without a base that compiles there is nothing. The stop token of the compile ends it.
ArgumentTrials tryArguments(const TrialRequest &request);

} // namespace tilescope
