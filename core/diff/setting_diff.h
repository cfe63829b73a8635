// How two compiles were asked for: arguments, pass options, target.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

struct SettingDiff {
  std::string name; // an argument, "PASS.OPTION", "target", "pipeline"
  std::string before;
  std::string after;

  friend bool operator==(const SettingDiff &, const SettingDiff &) = default;
};

// Those that differ: arguments in the order of the kernel, what else was asked behind them.
std::vector<SettingDiff> diffSettings(const TraceHeader &before, const TraceHeader &after);

} // namespace tilescope
