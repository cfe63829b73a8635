// The points of a sweep: every combination of the values of its arguments and of the options of its
// passes, for every target.
//
// Points are numbered from 0; the target changes slowest, then the arguments, then the options, and
// of each the one given last changes fastest. A shard
// K/N holds the points whose number leaves K - 1 when divided by N, so that what takes long is
// spread over all of them.
#pragma once

#include "core/sweep/value_list.h"

#include <utility>

namespace tilescope {

using SweepSetting = std::pair<std::string, std::string>; // name, value

struct SweepAxis {
  std::string name; // of an argument, or "PASS.OPTION"
  std::vector<std::string> values;
  bool isPassOption = false;

  friend bool operator==(const SweepAxis &, const SweepAxis &) = default;
};

struct SweepPoint {
  std::string target;
  std::vector<SweepSetting> arguments;   // in order of the axes
  std::vector<SweepSetting> passOptions; // the same

  std::vector<SweepSetting> settings() const; // both: one an axis
};

struct SweepGrid {
  std::vector<SweepAxis> axes; // arguments before options of passes
  std::vector<std::string> targets;

  uint64_t size() const; // of a grid that `makeGrid` or `checkGrid` accepted
  SweepPoint point(uint64_t index) const;

  friend bool operator==(const SweepGrid &, const SweepGrid &) = default;
};

struct SweepShard {
  uint64_t index = 1; // from 1
  uint64_t count = 1;

  bool isWhole() const { return count == 1; }
  bool holds(uint64_t point) const { return point % count == index - 1; }

  friend bool operator==(const SweepShard &, const SweepShard &) = default;
};

// `arguments` and `passOptions` are names and value lists, `targets` is a list of names separated
// by commas. The error names what is wrong; a grid of more than MaxSweepPoints is refused.
llvm::Expected<SweepGrid> makeGrid(llvm::ArrayRef<SweepSetting> arguments,
                                   llvm::ArrayRef<SweepSetting> passOptions,
                                   llvm::StringRef targets);

// Whether a grid that was read from a file has points, not too many, and its axes in order.
llvm::Error checkGrid(const SweepGrid &grid);

// "K/N".
llvm::Expected<SweepShard> parseShard(llvm::StringRef text);

} // namespace tilescope
