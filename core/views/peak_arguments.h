// What other arguments would do to the peak: a part of view and panel `peak` where a kernel is
// compiled.
#pragma once

#include "core/views/view.h"

#include <optional>

namespace tilescope {

struct ArgumentRow;

// Two values below the one that is and two above it; of integers only.
std::vector<std::string> valuesAround(const ArgumentRow &row);

// The kernel with other values of some arguments; it was compiled.
struct PeakArguments {
  std::vector<std::pair<std::string, std::string>> arguments; // name and value
  std::string error; // why it does not compile; "": it does
  int64_t peakBytes = 0;
  int64_t gainBytes = 0; // less than as it is; negative: more
  std::optional<int64_t> blocksPerSm;
  bool isOtherProblem = false; // its tensors are others
  bool isNow = false;          // as it is
};

// The kernel with one edit of its IR after `place`, its arguments as they are.
struct PeakEdit {
  std::string what;      // "num_stages=1 in line 65"
  KernelLine sourceLine; // of the loop
  std::string place, patch;
  int64_t peakBytes = 0;
  int64_t gainBytes = 0;
  std::optional<int64_t> blocksPerSm;
};

// Two arguments, and what each pair of values needs.
struct PeakMap {
  std::string down, across; // names
  std::vector<std::string> downValues, acrossValues;
  std::vector<PeakArguments> cells; // row by row
};

struct PeakTrials {
  std::vector<PeakArguments> changes; // of one argument by one step, greatest gain first
  std::vector<PeakEdit> edits;        // that gain something, in the order of the text
  PeakMap map;                        // without names: there is none
};

// "num_stages=1"
std::string toText(const PeakArguments &changed);
// "24.0 KiB, 6 blocks/SM", "does not compile", "other tensors"
std::string outcomeText(const PeakArguments &changed);
std::string outcomeText(const PeakEdit &edit);

void print(const PeakTrials &trials, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, PeakArguments &changed) {
  archive("arguments", changed.arguments);
  archive("error", changed.error);
  archive.always("peakBytes", changed.peakBytes);
  archive.always("gainBytes", changed.gainBytes);
  archive("blocksPerSm", changed.blocksPerSm);
  archive("otherProblem", changed.isOtherProblem);
  archive("isNow", changed.isNow);
}

template <typename Archive> void fields(Archive &archive, PeakEdit &edit) {
  archive("what", edit.what);
  lineFields(archive, edit.sourceLine);
  archive("place", edit.place);
  archive("patch", edit.patch);
  archive.always("peakBytes", edit.peakBytes);
  archive.always("gainBytes", edit.gainBytes);
  archive("blocksPerSm", edit.blocksPerSm);
}

template <typename Archive> void fields(Archive &archive, PeakMap &map) {
  archive("down", map.down);
  archive("across", map.across);
  archive("downValues", map.downValues);
  archive("acrossValues", map.acrossValues);
  archive("cells", map.cells);
}

template <typename Archive> void fields(Archive &archive, PeakTrials &trials) {
  archive("changes", trials.changes);
  archive("edits", trials.edits);
  archive("map", trials.map);
}

} // namespace tilescope
