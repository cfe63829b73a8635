// The points of a sweep: every combination of the values of its arguments, for every target.
//
// Points are numbered from 0; the argument given last changes fastest, the target slowest. A shard
// K/N holds the points whose number leaves K - 1 when divided by N, so that what takes long is
// spread over all of them.
#pragma once

#include "core/sweep/value_list.h"

#include <utility>

namespace tilescope {

struct SweepAxis {
  std::string name;
  std::vector<std::string> values;

  friend bool operator==(const SweepAxis &, const SweepAxis &) = default;
};

struct SweepPoint {
  std::string target;
  std::vector<std::pair<std::string, std::string>> arguments; // name, value; in order of the axes
};

struct SweepGrid {
  std::vector<SweepAxis> axes;
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

// `settings` are names and value lists, `targets` is a list of names separated by commas. The error
// names what is wrong; a grid of more than MaxSweepPoints is refused.
llvm::Expected<SweepGrid> makeGrid(llvm::ArrayRef<std::pair<std::string, std::string>> settings,
                                   llvm::StringRef targets);

// Whether a grid that was read from a file has points, and not too many.
llvm::Error checkGrid(const SweepGrid &grid);

// "K/N".
llvm::Expected<SweepShard> parseShard(llvm::StringRef text);

} // namespace tilescope
